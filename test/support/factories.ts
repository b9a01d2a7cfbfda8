/** Rows that tests start from. Every call makes rows of its own, so tests never meet. */
import { randomUUID } from 'node:crypto';
import { typeid, TypeID } from 'typeid-js';
import type { FieldValue } from '../../contract/result-fields.ts';
import { createApiToken } from '../../api/http/tokens.ts';
import { hashPassword } from '../../api/commands/hash-password.ts';
import { now } from '../../db/clock.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { AssistantFields } from '../../db/models/assistant.ts';
import { BatchModel } from '../../db/models/batch.ts';
import type { NewBatch } from '../../db/models/batch.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { LoginModel } from '../../db/models/login.ts';
import { SessionModel } from '../../db/models/session.ts';
import { UserModel } from '../../db/models/user.ts';

export const PASSWORD = 'correct horse battery';

/** A login by cookie. */
export async function createLogin(
  { id, credentials_version }: UserModel,
  fields: Partial<LoginModel> & { secret?: string } = {},
): Promise<LoginModel> {
  return LoginModel.start({
    ...{ user_id: id, credentials_version, kind: 'console', secret: randomUUID() },
    ...{ address: '127.0.0.1', user_agent: null, expires_at: new Date(Date.now() + 60_000) },
    ...fields,
  });
}

let passwordHash: Promise<string> | undefined;

/** Hashing takes a tenth of a second of a core, by design. */
const hashOfPassword = () => (passwordHash ??= hashPassword(PASSWORD));

/** A user with an API token. */
export async function createUser(): Promise<{ user: UserModel; token: string }> {
  const user = await UserModel.register({
    email: `${randomUUID()}@example.com`,
    name: 'Ada',
    password_hash: await hashOfPassword(),
  });
  if (!user) throw new Error('the address is random');
  const { token, prefix, hash } = createApiToken();
  await ApiKeyModel.query().insert({
    id: typeid('key').toString(),
    user_id: user.id,
    name: 'test',
    prefix,
    token_hash: hash,
  });
  return { user, token };
}

/** A user with an API token and an assistant. */
export async function createOwner(fields: Partial<AssistantFields> = {}) {
  const { user, token } = await createUser();
  return { user, token, assistant: await createAssistant(user.id, fields) };
}

export async function createAssistant(user_id: string, fields: Partial<AssistantFields> = {}): Promise<AssistantModel> {
  return AssistantModel.insertRow({
    id: typeid('asst').toString(),
    user_id,
    name: 'Call review',
    type: 'text',
    description: null,
    stt_provider: null,
    stt_model: null,
    stt_language: null,
    channel_roles: null,
    llm_provider: 'openai',
    llm_model: 'gpt-6-luna',
    system_prompt: 'Summarise the conversation.',
    temperature: 0.7,
    fields: null,
    webhook_url: null,
    webhook_secret: null,
    webhook_events: ['session.completed'],
    on_vendor_outage: 'fail',
    fallback: null,
    retention_days: null,
    ...fields,
  });
}

/** An id as a session has that was made then. */
export function sessionIdAt(time: Date): string {
  const ms = time.getTime().toString(16).padStart(12, '0');
  return TypeID.fromUUID('sess', `${ms.slice(0, 8)}-${ms.slice(8)}-7${randomUUID().slice(15)}`).toString();
}

export async function createSession(
  assistant: AssistantModel,
  fields: Partial<SessionModel> = {},
): Promise<SessionModel> {
  return SessionModel.query()
    .insert({
      id: typeid('sess').toString(),
      user_id: assistant.user_id,
      assistant_id: assistant.id,
      type: assistant.type,
      assistant: assistant.freeze(),
      conversation: [
        { role: 'operator', text: 'Good morning, how can I help?' },
        { role: 'client', text: 'My parcel has not arrived.' },
      ],
      metadata: {},
      simulated: false,
      ...fields,
    } as Partial<SessionModel>)
    .returning('*');
}

/**
 * A session that has ended with these answers to its assistant's fields.
 * @param unverified names of the fields none of whose quotations stands.
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
  await SessionModel.finish(session.id, {
    ...{ status: 'completed', summary_text: 'Done.', temperature_applied: null, field_encoding: 'strict' },
    raw_response: { summary_text: 'Done.', fields: values, evidence },
  });
  return session;
}

/** As the session's own workflow delivers it. */
export async function createDelivery({ id, user_id, assistant_id }: SessionModel): Promise<DeliveryModel> {
  const event = 'session.completed' as const;
  const payload = JSON.stringify({ event, session_id: id });
  const ids = { id: DeliveryModel.newId(), user_id, session_id: id, assistant_id, workflow_id: id };
  return DeliveryModel.query()
    .insert({ ...ids, event, payload, next_attempt_at: now() })
    .returning('*');
}

/** A batch that nobody works on. */
export async function createBatch(user_id: string, fields: Partial<NewBatch> = {}): Promise<BatchModel> {
  const row = {
    user_id,
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
