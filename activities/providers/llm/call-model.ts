/** Calls a model until it gives a complete answer, within the allowed repeats. */
import type { UnnamedFailure } from '../../../contract/errors/failures.ts';
import { LLM_MAX_OUTPUT_TOKENS, type FieldEncoding } from '../../../contract/values/constants.ts';
import { nameSpeakers } from '../../../contract/sessions/turns.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { retryWhileDatabaseDown } from '../../retry-while-database-down.ts';
import { asksRoles } from '../../roles/known-roles.ts';
import { newAdaptation, type Adaptation } from '../adapt-request.ts';
import { ProviderError } from '../provider-error.ts';
import type { Refusal } from '../read-refusal.ts';
import { closeCall, recordCall, type PaidCall, type RecordCallDeps } from '../record-call.ts';
import { answerSchema } from './answer-schema.ts';
import type { LlmProviders } from './index.ts';
import type { ParsedAnswer } from './parse-answer.ts';
import { buildPrompt } from './prompt.ts';
import { requireAnswer, SCHEMA_REFUSAL } from './read-response.ts';

export interface CallModelDeps extends RecordCallDeps {
  llm: LlmProviders;
}

/** Parameters of the calls for one analysis. A refusal changes them for the following calls. */
interface CallSettings {
  temperature: number | null;
  maxOutputTokens: number;
  reasoningEffort: string | null;
  /** The assistant's own limit of output tokens, which is never exceeded; null: none. */
  limit: number | null;
  /** How the fields are requested; null if there are none. */
  encoding: FieldEncoding | null;
  /** True if the model's context has no space for a longer answer. */
  isRoomBound: boolean;
  /** What the model refused. */
  adaptation: Adaptation;
  /** How many more times a paid response without an answer is repeated. */
  repeatsLeft: number;
}

/** Each repeat costs money, and a model that returned nothing twice rarely does better later. */
const MAX_REPEATS = 2;

/** An answer with fields rarely has fewer tokens. */
const MIN_OUTPUT_TOKENS = 512;

export const firstSettings = (
  given: Pick<CallSettings, 'temperature' | 'encoding' | 'reasoningEffort' | 'limit'>,
): CallSettings => ({
  ...given,
  maxOutputTokens: given.limit ?? LLM_MAX_OUTPUT_TOKENS,
  adaptation: newAdaptation(),
  isRoomBound: false,
  repeatsLeft: MAX_REPEATS,
});

export interface ModelCall {
  session: SessionModel;
  settings: CallSettings;
  signal: AbortSignal;
  /** Text to add below the conversation. */
  correction?: string;
}

/**
 * Returns the answer; the caller stores it and closes the call. Repeats the call: without what the
 * model refuses; with fields as rows if the model refuses the schema; once with twice the output limit if the
 * answer was cut off; twice if the answer is incomplete; with a lower output limit if the context is too small. Throws
 * `ProviderError`, or the reason of `signal`.
 */
export async function callModel(
  deps: CallModelDeps,
  { session, settings, signal, correction }: ModelCall,
): Promise<{ answer: ParsedAnswer; paid: PaidCall }> {
  const { llm_provider: provider, llm_model: model } = session.assistant;
  for (;;) {
    const { temperature, maxOutputTokens, reasoningEffort, encoding, adaptation } = settings;
    const prompt = promptOf(session, settings, correction);
    const estimate = { input_tokens: maxInputTokens(prompt, settings), output_tokens: maxOutputTokens };
    try {
      const { report, paid } = await recordCall(
        deps,
        { session, step: 'analysis', provider, model, estimate, signal },
        async () => {
          const response = await deps.llm[provider].complete({
            model,
            ...prompt,
            temperature,
            maxOutputTokens,
            reasoningEffort,
            encoding,
            adaptation,
            signal,
          });
          return { ...response, answer: requireAnswer(provider, response, acceptsProse(settings)) };
        },
      );
      const { answer, finish } = report;
      if (answer) return { answer, paid };
      await retryWhileDatabaseDown(() => closeCall(paid));
      const limit = Math.min(maxOutputTokens, adaptation.maxOutputTokens ?? Infinity);
      if (
        maxOutputTokens > LLM_MAX_OUTPUT_TOKENS ||
        settings.limit !== null ||
        settings.isRoomBound ||
        limit < maxOutputTokens
      ) {
        const why: UnnamedFailure = finish === 'truncated' ? ['answer_too_long', { max: limit }] : ['answer_cut'];
        throw new ProviderError('too_large', why, { provider });
      }
      settings.maxOutputTokens *= 2;
    } catch (error) {
      if (!adapt(settings, error)) throw error;
    }
  }
}

/** Where no JSON can be requested, the text of an assistant without fields is its summary. */
export const acceptsProse = ({ encoding, adaptation }: CallSettings): boolean =>
  encoding === null && adaptation.isFree === true;

function promptOf(session: SessionModel, { encoding }: CallSettings, correction: string | undefined) {
  const { id, assistant, redaction } = session;
  const asked = { encoding, roles: asksRoles(session) };
  const hasPlaceholders = Object.keys(redaction?.counts ?? {}).length > 0;
  const turns = nameSpeakers(session.conversation ?? [], session.knownRoles);
  const { system, user } = buildPrompt(id, assistant, turns, { ...asked, hasPlaceholders });
  const schema = answerSchema(assistant.fields ?? [], asked);
  return { system, user: correction === undefined ? user : `${user}\n\n${correction}`, schema };
}

/** Returns whether the call must be repeated, with settings that the model may accept. */
function adapt(settings: CallSettings, error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  if (error.isAdapted) return true;
  const reply = error.reply();
  const outputRoom = reply ? readOutputRoom(reply) : 0;
  if (error.fault === 'too_large' && outputRoom >= MIN_OUTPUT_TOKENS && !settings.isRoomBound) {
    settings.maxOutputTokens = outputRoom;
    settings.isRoomBound = true;
  } else if (error.fault === 'incomplete' && settings.repeatsLeft > 0) {
    settings.repeatsLeft -= 1;
  } else if (reply?.status === 400 && settings.encoding === 'strict' && SCHEMA_REFUSAL.test(reply.words)) {
    settings.encoding = 'rows';
  } else {
    return false;
  }
  return true;
}

/**
 * Returns the tokens left for the answer according to vLLM and Text Generation Inference, which refuse an output limit that
 * does not fit beside the prompt.
 */
function readOutputRoom({ words }: Refusal): number {
  const context = /maximum context length is (\d+)|must be <= (\d+)/.exec(words);
  const prompt = /(?<!\d)(\d{1,9}) (?:input tokens|in the messages|`inputs` tokens)/.exec(words);
  return context && prompt ? Number(context[1] ?? context[2]) - Number(prompt[1]) : 0;
}

/** Tokens for the answer's schema without fields and for additions of the provider. */
const FRAME_TOKENS = 1_000;

/** Returns the maximum number of input tokens of a call: a tokenizer makes at most one token per byte. */
function maxInputTokens({ system, user, schema }: ReturnType<typeof promptOf>, { encoding }: CallSettings): number {
  const fields = encoding === null ? '' : JSON.stringify(schema);
  return Buffer.byteLength(system) + Buffer.byteLength(user) + Buffer.byteLength(fields) + FRAME_TOKENS;
}
