/** Creates rows for tests. Every call creates new rows, so tests don't affect each other. */
import { randomUUID } from 'node:crypto';
import { typeid, TypeID } from 'typeid-js';
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import { FINAL_SESSION_STATUSES } from '../../contract/values/constants.ts';
import { TOKEN_SCOPES } from '../../contract/values/scopes.ts';
import { createApiToken } from '../../api/guard/tokens.ts';
import { hashPassword } from '../../api/guard/passwords.ts';
import { now } from '../../db/statements.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { AssistantModel, type AssistantColumns } from '../../db/models/assistant.ts';
import { BatchModel, type NewBatch } from '../../db/models/batch.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { LoginModel } from '../../db/models/login.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { fieldRowsOf } from '../../contract/fields/field-rows.ts';
import { storeSearchWords } from '../../activities/sweeps/renew-search-words.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import { SessionModel } from '../../db/models/session.ts';
import { UserModel } from '../../db/models/user.ts';
import { finishSession } from '../../db/queries/session-status.ts';

export const PASSWORD = 'correct horse battery';

/** Request body that creates a text assistant. */
export const TEXT_SETTINGS = {
  name: 'Review',
  type: 'text',
  llm_provider: 'openai',
  system_prompt: 'Summarize.',
} as const;

/** Fields of a voice assistant's row. */
export const VOICE = {
  type: 'voice',
  stt_provider: 'whisper',
  stt_model: 'whisper-1',
  stt_language: 'Auto-Detect',
} as const;

/** A conversation of one turn. */
export const says = (text: string) => [{ role: 'client', text }];

/** A successful end, for `SessionModel.finish`. */
export const COMPLETED = {
  status: 'completed',
  summary_text: 's',
  raw_response: {},
  temperature_applied: true,
} as const;

/** Creates a login with a cookie. */
export async function createLogin(
  { id, credentials_version }: UserModel,
  fields: Partial<LoginModel> & { secret?: string } = {},
): Promise<LoginModel> {
  return LoginModel.start({
    user_id: id,
    credentials_version,
    kind: 'console',
    secret: randomUUID(),
    address: '127.0.0.1',
    user_agent: null,
    expires_at: new Date(Date.now() + 60_000),
    ...fields,
  });
}

let passwordHash: Promise<string> | undefined;

/** Hashed once, because hashing takes 0.1 s of processor time by design. */
const hashOfPassword = () => (passwordHash ??= hashPassword(PASSWORD));

/** Creates a user with an API token that has every scope. */
export async function createUser(): Promise<{ user: UserModel; token: string; workspaceId: string }> {
  const user = await UserModel.register({
    email: `${randomUUID()}@example.com`,
    name: 'Ada',
    password_hash: await hashOfPassword(),
  });
  if (!user) throw new Error('the address is random');
  const { token, prefix, hash } = createApiToken();
  const id = typeid('key').toString();
  await ApiKeyModel.query().insert({
    id,
    chain_id: id,
    workspace_id: user.default_workspace_id,
    created_by: user.id,
    name: 'test',
    prefix,
    token_hash: hash,
    scopes: [...TOKEN_SCOPES],
  });
  return { user, token, workspaceId: user.default_workspace_id };
}

/** Creates a user with an API token and an assistant. */
export async function createOwner(fields: Partial<AssistantColumns> = {}) {
  const owner = await createUser();
  return { ...owner, assistant: await createAssistant(owner.workspaceId, fields) };
}

export async function createAssistant(
  workspace_id: string,
  fields: Partial<AssistantColumns> = {},
): Promise<AssistantModel> {
  return AssistantModel.insertRow({
    id: typeid('asst').toString(),
    workspace_id,
    name: 'Call review',
    type: 'text',
    description: null,
    stt_provider: null,
    stt_model: null,
    stt_language: null,
    channel_roles: null,
    vocabulary: null,
    llm_provider: 'openai',
    llm_model: 'gpt-6-luna',
    system_prompt: 'Summarize the conversation.',
    temperature: 0.7,
    reasoning_effort: null,
    max_output_tokens: null,
    fields: null,
    webhook_url: null,
    webhook_secret: null,
    webhook_auth: 'both',
    webhook_events: ['session.completed'],
    alerts: null,
    follow_ups: null,
    on_provider_outage: 'fail',
    fallback: null,
    redaction: null,
    channels_required: false,
    economy: false,
    retention_days: null,
    ...fields,
  });
}

/** Returns the ID of a session that was created at this time. */
export function sessionIdAt(time: Date): string {
  const ms = time.getTime().toString(16).padStart(12, '0');
  return TypeID.fromUUID('sess', `${ms.slice(0, 8)}-${ms.slice(8)}-7${randomUUID().slice(15)}`).toString();
}

export async function createSession(
  assistant: AssistantModel,
  fields: Partial<SessionModel> = {},
): Promise<SessionModel> {
  const isEnded = FINAL_SESSION_STATUSES.some((status) => status === fields.status);
  const session = await SessionModel.query()
    .insert({
      id: typeid('sess').toString(),
      workspace_id: assistant.workspace_id,
      assistant_id: assistant.id,
      type: assistant.type,
      assistant: assistant.freeze(),
      conversation: [
        { role: 'operator', text: 'Good morning, how can I help?' },
        { role: 'client', text: 'My parcel has not arrived.' },
      ],
      metadata: {},
      simulated: false,
      completed_at: isEnded ? new Date() : null,
      ...fields,
    } as Partial<SessionModel>)
    .returning('*');
  if (isEnded) await storeWords(session.id);
  return session;
}

/** Adds a session to the search index, which an inserted row is not part of. */
export const storeWords = (id: string) => storeSearchWords([id]);

/**
 * Creates a completed session with these field values.
 * @param unverified names of the fields whose quotes are all invalid.
 */
export async function createAnswered(
  assistant: AssistantModel,
  values: Record<string, FieldValue | null>,
  { unverified = [], ...fields }: Partial<SessionModel> & { unverified?: string[] } = {},
): Promise<SessionModel> {
  const session = await createSession(assistant, {
    assistant_version: assistant.version,
    status: 'analyzing',
    ...fields,
  });
  const answered = Object.keys(values).filter((name) => values[name] !== null);
  const evidence = Object.fromEntries(answered.map((name) => [name, { verified: !unverified.includes(name) }]));
  const raw_response = { summary_text: 'Done.', fields: values, evidence };
  await finishSession(session.id, {
    status: 'completed',
    summary_text: 'Done.',
    temperature_applied: null,
    field_encoding: 'strict',
    raw_response,
    field_rows: fieldRowsOf(session.assistant.fields, raw_response),
  });
  return session;
}

/** Creates a review of a random sample. */
export async function createReview(
  { id: session_id, workspace_id, assistant_id }: SessionModel,
  fields: Partial<SessionReviewModel> = {},
): Promise<void> {
  const row = { session_id, workspace_id, assistant_id, day: '2026-01-01', reviewed_by: 'key_1', sampled: true };
  await SessionReviewModel.query().insert({ ...row, ...fields });
}

/** Creates a row of the ledger. Default: a successful analysis by OpenAI. */
export async function createCall(
  { id, workspace_id, assistant_id }: Pick<SessionModel, 'id' | 'workspace_id' | 'assistant_id'>,
  fields: Partial<ProviderCallModel> = {},
): Promise<void> {
  await ProviderCallModel.query().insert({
    session_id: id,
    workspace_id,
    assistant_id,
    step: 'analysis',
    attempt: 1,
    provider: 'openai',
    status: 'succeeded',
    ...fields,
  });
}

/** Starts an attempt of a delivery. */
export const openAttempt = (delivery_id: string, attempt = 1): Promise<unknown> =>
  DeliveryAttemptModel.open({ delivery_id, attempt, url: 'https://example.com/', request_headers: {} });

/** Creates a delivery of the session's own workflow. */
export async function createDelivery(
  { id, workspace_id, assistant_id }: SessionModel,
  fields: Partial<DeliveryModel> = {},
): Promise<DeliveryModel> {
  const event = 'session.completed' as const;
  const payload = JSON.stringify({ event, session_id: id });
  const ids = { id: DeliveryModel.newId(), workspace_id, session_id: id, assistant_id, workflow_id: id };
  return DeliveryModel.query()
    .insert({ ...ids, event, payload, next_attempt_at: now(), ...fields })
    .returning('*');
}

/** Creates a batch without a workflow. */
export async function createBatch(workspace_id: string, fields: Partial<NewBatch> = {}): Promise<BatchModel> {
  const row = {
    workspace_id,
    action: 'retry' as const,
    filter: {},
    conditions: {},
    settings: null,
    assistant_version: null,
  };
  const created = await BatchModel.create({ ...row, simulated: false, notify: false, total: 0, ...fields }, Infinity);
  if (!created) throw new Error('there is no bound');
  return created.batch;
}
