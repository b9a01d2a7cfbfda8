/** Calls a model for one answer, with the repeats that a single call may need. */
import { LLM_MAX_OUTPUT_TOKENS } from '../../../contract/constants.ts';
import type { FieldEncoding } from '../../../contract/constants.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { nameSpeakers } from '../../../contract/speaker-names.ts';
import { asksRoles } from '../../roles/known-roles.ts';
import { closePaid, recordCall } from '../record-call.ts';
import type { RecordCallDeps, Settled } from '../record-call.ts';
import { VendorError } from '../vendor-error.ts';
import { answerSchema } from './answer-schema.ts';
import type { LlmProviders } from './index.ts';
import { buildPrompt } from './prompt.ts';

export interface CallModelDeps extends RecordCallDeps {
  llm: LlmProviders;
}

/** What is sent to a model, so that it takes it. A repeat changes it, and later calls go by what was learnt. */
export interface Manner {
  temperature: number | null;
  maxOutputTokens: number;
  /** How the fields are asked for; null where there are none. */
  encoding: FieldEncoding | null;
}

export const firstManner = (temperature: number | null, encoding: FieldEncoding | null): Manner => ({
  ...{ temperature, encoding },
  maxOutputTokens: LLM_MAX_OUTPUT_TOKENS,
});

export interface ModelCall {
  session: SessionModel;
  manner: Manner;
  signal: AbortSignal;
  /** What is added below the conversation. */
  correction?: string;
}

/**
 * Returns what is stored of the answer. A model that refuses the temperature is asked again without it, and one that
 * refuses the fields' schema by rows; an answer that was cut off is asked for once more with twice the room. Throws
 * `VendorError`, or the reason of `signal`.
 */
export async function callModel<R>(
  deps: CallModelDeps,
  { session, manner, signal, correction }: ModelCall,
  settle: (text: string) => Settled<R> | Promise<Settled<R>>,
): Promise<R> {
  const { llm_provider: provider, llm_model: model } = session.assistant;
  for (;;) {
    const { temperature, maxOutputTokens } = manner;
    const prompt = promptOf(session, manner, correction);
    const estimate = { input_tokens: maxInputTokens(prompt, manner), output_tokens: maxOutputTokens };
    try {
      const outcome = await recordCall(
        deps,
        { session, step: 'analysis', provider, model, estimate, signal },
        () => deps.llm[provider].complete({ model, ...prompt, temperature, maxOutputTokens, signal }),
        async ({ isTruncated, text }) => {
          if (isTruncated) return (paid) => closePaid(paid, async () => undefined);
          const store = await settle(text);
          return async (paid) => ({ stored: await store(paid) });
        },
      );
      if (outcome) return outcome.stored;
      if (maxOutputTokens > LLM_MAX_OUTPUT_TOKENS) {
        throw new VendorError('too_large', `was cut off at ${maxOutputTokens} tokens of output`, { provider });
      }
      manner.maxOutputTokens *= 2;
    } catch (error) {
      if (!adapt(manner, error)) throw error;
    }
  }
}

function promptOf(session: SessionModel, { encoding }: Manner, correction: string | undefined) {
  const { id, assistant } = session;
  const asked = { encoding, roles: asksRoles(session) };
  const { system, user } = buildPrompt(
    id,
    assistant,
    nameSpeakers(session.conversation ?? [], session.knownRoles),
    asked,
  );
  const schema = answerSchema(assistant.fields ?? [], asked);
  return { system, user: correction === undefined ? user : `${user}\n\n${correction}`, schema };
}

/** Gives up what the model may have refused. Returns false if there is nothing to give up. */
function adapt(manner: Manner, error: unknown): boolean {
  if (!(error instanceof VendorError)) return false;
  if (error.details.refusesTemperature === true && manner.temperature !== null) {
    manner.temperature = null;
    return true;
  }
  if (error.details.refusesSchema === true && manner.encoding === 'strict') {
    manner.encoding = 'rows';
    return true;
  }
  return false;
}

/** Tokens for the answer's schema without fields and for what a vendor adds of its own. */
const FRAME_TOKENS = 1_000;

/** Returns the most input tokens that a call can have: a tokenizer makes at most one token of a byte. */
function maxInputTokens({ system, user, schema }: ReturnType<typeof promptOf>, { encoding }: Manner): number {
  const fields = encoding === null ? '' : JSON.stringify(schema);
  return Buffer.byteLength(system) + Buffer.byteLength(user) + Buffer.byteLength(fields) + FRAME_TOKENS;
}
