/** Calls a model until it gives a complete answer, within the allowed repeats. */
import type { UnnamedFailure } from '../../../contract/errors/failures.ts';
import { LLM_MAX_OUTPUT_TOKENS, type FieldEncoding } from '../../../contract/values/constants.ts';
import { nameSpeakers } from '../../../contract/sessions/turns.ts';
import type { ProviderCallModel, StoredCallSettings } from '../../../db/models/provider-call.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { firstEncoding, hashFieldsSchema } from '../../fields/fields-schema.ts';
import { retryWhileDatabaseDown } from '../../retry-while-database-down.ts';
import { asksRoles } from '../../roles/known-roles.ts';
import { causeOf } from '../policy/causes.ts';
import {
  findRefused,
  leftOut,
  limitIn,
  negotiate,
  next,
  valuesOf,
  type Parameters,
  type Steps,
} from '../policy/negotiate.ts';
import { ProviderError } from '../policy/provider-error.ts';
import { closeCall, recordCall, type PaidCall, type RecordCallDeps } from '../policy/record-call.ts';
import { answerSchema } from './answer-schema.ts';
import type { LlmProviders } from './index.ts';
import type { ParsedAnswer } from './parse-answer.ts';
import { buildPrompt } from './prompt.ts';
import type { LlmRequest } from './provider.ts';
import { requireAnswer } from './read-response.ts';

export interface CallModelDeps extends RecordCallDeps {
  llm: LlmProviders;
}

/** What a refusal or an answer without a result changes for the next call of one analysis. */
interface CallSettings {
  maxOutputTokens: number;
  /** How the fields are requested; null if there are none. */
  encoding: FieldEncoding | null;
  steps: Steps;
  /** How many more times a paid response without an answer is repeated. */
  repeatsLeft: number;
}

/** Each repeat costs money, and a model that returned nothing twice rarely does better later. */
const MAX_REPEATS = 2;

export interface ModelCall {
  session: SessionModel;
  /** null: none is sent. */
  temperature: number | null;
  reasoningEffort: string | null;
  /** The assistant's own limit of output tokens, which is never exceeded; null: none. */
  limit: number | null;
  /** Whether half the price is asked for; undefined: the session is not economical. */
  economy?: boolean | undefined;
  signal: AbortSignal;
  /** Settings of the answer that this call corrects. */
  settings?: CallSettings | undefined;
  /** Text to add below the conversation. */
  correction?: string;
  /** Responses of an earlier try, in order; the first one is removed and read. Given: a new response is stored, too. */
  stored?: Pick<ProviderCallModel, 'settings' | 'provider_response'>[];
}

export interface ModelReply {
  answer: ParsedAnswer;
  paid: PaidCall;
  /** How the model was asked. */
  asked: StoredCallSettings;
  settings?: CallSettings;
}

/**
 * Returns the answer; the caller stores it and closes the call. Repeats the call: without what the model refuses; with fields
 * as rows if the model refuses the schema; once with twice the output limit if the answer was cut off; twice if the
 * answer is incomplete. Throws `ProviderError`, or the reason of `signal`.
 */
export async function callModel(deps: CallModelDeps, call: ModelCall): Promise<ModelReply> {
  const { session, stored, limit, signal } = call;
  const { llm_provider: provider, llm_model: model } = session.assistant;
  const llm = await deps.llm[provider]();
  const earlier = stored?.shift();
  if (earlier?.settings) {
    const response = llm.readAnswer(earlier.provider_response);
    const answer = requireAnswer(provider, response, acceptsProse(earlier.settings));
    if (answer) return { answer, asked: earlier.settings, paid: { end: undefined, sessionCost: undefined } };
  }
  const steps = llm.memory.recall(model);
  const first = {
    maxOutputTokens: limit ?? LLM_MAX_OUTPUT_TOKENS,
    encoding: chooseEncoding(session, steps),
    repeatsLeft: MAX_REPEATS,
  };
  const send = async (settings: CallSettings): Promise<ModelReply> => {
    const request = requestOf(call, settings);
    const parameters = llm.parametersOf(request);
    const asked = askedIn(call, settings, parameters);
    const estimate = { input_tokens: maxInputTokens(request, settings), output_tokens: settings.maxOutputTokens };
    const isFlex = valuesOf(parameters, settings.steps)['service_tier'] !== undefined;
    const askedTier = isFlex ? 'flex' : 'standard';
    const tier = call.economy === undefined ? null : askedTier;
    const toRecord = { session, step: 'analysis', provider, model, estimate, tier, signal } as const;
    const { report, paid } = await recordCall(deps, toRecord, async () => {
      const response = await llm.complete(request);
      return { ...response, answer: requireAnswer(provider, response, acceptsProse(asked)) };
    });
    const { answer, finish } = report;
    if (answer) {
      if (stored) await retryWhileDatabaseDown(() => closeCall(paid, { settings: asked }));
      return { answer, paid, asked, settings };
    }
    await retryWhileDatabaseDown(() => closeCall(paid));
    const max = limitIn(parameters, settings.steps) ?? settings.maxOutputTokens;
    const why: UnnamedFailure = finish === 'truncated' ? ['answer_too_long', { max }] : ['answer_cut'];
    throw new ProviderError('too_large', why, { provider });
  };
  const change = (settings: CallSettings, error: ProviderError) =>
    nextSettings(call, llm.parametersOf(requestOf(call, settings)), settings, error);
  const reply = await negotiate({ ...first, steps, ...call.settings }, send, change);
  llm.memory.remember(model, reply.settings?.steps ?? steps);
  return reply;
}

/** Fields whose schema the model refused are requested as rows. */
const schemaNameOf = ({ assistant: { fields = [] } }: SessionModel) => `schema ${hashFieldsSchema(fields)}`;

function chooseEncoding(session: SessionModel, steps: Steps): FieldEncoding | null {
  const { fields, llm_provider } = session.assistant;
  if (!fields) return null;
  return steps[schemaNameOf(session)] === undefined ? firstEncoding(llm_provider, fields) : 'rows';
}

const isFormat = (name: string): boolean => /format|schema|mime/i.test(name);

function askedIn({ temperature }: ModelCall, { encoding, steps }: CallSettings, parameters: Parameters) {
  const is_free = !Object.keys(valuesOf(parameters, steps)).some(isFormat);
  return { temperature, encoding, left_out: leftOut(parameters, steps), is_free };
}

/** Where no JSON can be requested, the text of an assistant without fields is its summary. */
const acceptsProse = ({ encoding, is_free }: StoredCallSettings): boolean => encoding === null && is_free === true;

function requestOf(call: ModelCall, { encoding, maxOutputTokens, steps }: CallSettings): LlmRequest {
  const { session, temperature, reasoningEffort, correction, economy = false, signal } = call;
  const { id, assistant, redaction } = session;
  const { llm_model: model } = assistant;
  const asked = { encoding, roles: asksRoles(session) };
  const hasPlaceholders = Object.keys(redaction?.counts ?? {}).length > 0;
  const turns = nameSpeakers(session.conversation ?? [], session.knownRoles);
  const { system, user } = buildPrompt(id, assistant, turns, { ...asked, hasPlaceholders });
  const schema = answerSchema(assistant.fields ?? [], asked);
  const prompt = { system, user: correction === undefined ? user : `${user}\n\n${correction}`, schema };
  return { model, ...prompt, temperature, maxOutputTokens, reasoningEffort, economy, steps, signal };
}

/** Returns the settings of the next call; undefined if none may help. */
function nextSettings(
  { session, limit }: ModelCall,
  parameters: Parameters,
  settings: CallSettings,
  error: ProviderError,
): CallSettings | undefined {
  const { maxOutputTokens, encoding, steps, repeatsLeft } = settings;
  const refusal = error.reply();
  if (refusal) {
    const refused = findRefused(parameters, steps, refusal);
    const isUnnamed = refused === undefined && refusal.status === 400 && causeOf(refusal) === 'request';
    // Not every server names the tier that it does not sell. A schema that seemed refused would be replaced for a day.
    if (isUnnamed && valuesOf(parameters, steps)['service_tier'])
      return { ...settings, steps: { ...steps, service_tier: 1 } };
    // Gemini and grammars of servers name nothing that was sent when a schema is too complex.
    const mayBeSchema = refused === undefined ? isUnnamed : isFormat(refused);
    if (encoding === 'strict' && mayBeSchema) {
      const { service_tier: _, ...others } = steps;
      // Without the tier, the refusal was the same.
      const kept = isUnnamed ? others : steps;
      return { ...settings, encoding: 'rows', steps: { ...kept, [schemaNameOf(session)]: 1 } };
    }
    const following = next(parameters, steps, refusal);
    if (following) return { ...settings, steps: following };
  }
  if (error.fault === 'incomplete') return repeatsLeft > 0 ? { ...settings, repeatsLeft: repeatsLeft - 1 } : undefined;
  const isCutOff = error.why[0] === 'answer_too_long' || error.why[0] === 'answer_cut';
  const isLowered = (limitIn(parameters, steps) ?? 0) < maxOutputTokens;
  const mayDouble = limit === null && !isLowered && maxOutputTokens <= LLM_MAX_OUTPUT_TOKENS;
  return isCutOff && mayDouble ? { ...settings, maxOutputTokens: 2 * maxOutputTokens } : undefined;
}

/** Tokens for the answer's schema without fields and for additions of the provider. */
const FRAME_TOKENS = 1_000;

/** Returns the maximum number of input tokens of a call: a tokenizer makes at most one token per byte. */
function maxInputTokens({ system, user, schema }: LlmRequest, { encoding }: CallSettings): number {
  const fields = encoding === null ? '' : JSON.stringify(schema);
  return Buffer.byteLength(system) + Buffer.byteLength(user) + Buffer.byteLength(fields) + FRAME_TOKENS;
}
