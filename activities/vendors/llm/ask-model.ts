/** Asks the assistant's model to analyze a conversation, with the two repeats that a single call may need. */
import type { Transaction } from 'objection';
import type { SessionModel } from '../../../db/models/session.ts';
import { recordCall } from '../record-call.ts';
import type { RecordCallDeps } from '../record-call.ts';
import { VendorError } from '../vendor-error.ts';
import { capabilityOf } from './capabilities.ts';
import type { LlmProviders } from './index.ts';
import { parseAnswer } from './parse-answer.ts';
import type { ParsedAnswer } from './parse-answer.ts';
import { buildPrompt } from './prompt.ts';

export interface AskModelDeps extends RecordCallDeps {
  llm: LlmProviders;
}

/** Bound of the output. It is far above the length of an answer, because thinking models count their thoughts in. */
const MAX_OUTPUT_TOKENS = 8_192;

export type ModelAnswer = ParsedAnswer & { temperature_applied: boolean };

/**
 * Returns what `store` returns. A model that refuses the temperature is asked again without it; an answer that was cut
 * off is asked for once more with twice the room. Throws `VendorError`, or the reason of `signal`.
 * @param store keeps the answer, in the transaction that records the call as paid.
 */
export async function askModel<T>(
  deps: AskModelDeps,
  session: SessionModel,
  signal: AbortSignal,
  store: (answer: ModelAnswer, trx: Transaction) => Promise<T>,
): Promise<T> {
  const { llm_provider: provider, llm_model: model, temperature: wished } = session.assistant;
  const prompt = buildPrompt(session.id, session.assistant, session.conversation ?? []);
  let temperature = capabilityOf(provider, model).temperature === 'send' ? wished : null;
  let maxOutputTokens = MAX_OUTPUT_TOKENS;
  for (;;) {
    const request = { model, ...prompt, temperature, maxOutputTokens, signal };
    const estimate = { input_tokens: maxInputTokens(prompt), output_tokens: maxOutputTokens };
    try {
      const outcome = await recordCall(
        deps,
        { session, step: 'analysis', provider, model, estimate, signal },
        () => deps.llm[provider].complete(request),
        async ({ isTruncated, text }, trx) =>
          isTruncated
            ? undefined
            : { stored: await store({ ...parseAnswer(text), temperature_applied: temperature !== null }, trx) },
      );
      if (outcome) return outcome.stored;
      if (maxOutputTokens > MAX_OUTPUT_TOKENS) {
        throw new VendorError('too_large', `was cut off at ${maxOutputTokens} tokens of output`, { provider });
      }
      maxOutputTokens *= 2;
    } catch (error) {
      const refusesTemperature = error instanceof VendorError && error.details.refusesTemperature === true;
      if (!refusesTemperature || temperature === null) throw error;
      temperature = null;
    }
  }
}

/** Tokens for the answer's schema and for what a vendor adds of its own. */
const FRAME_TOKENS = 1_000;

/** Returns the most input tokens that the prompt can have: a tokenizer makes at most one token of a byte. */
function maxInputTokens({ system, user }: { system: string; user: string }): number {
  return Buffer.byteLength(system) + Buffer.byteLength(user) + FRAME_TOKENS;
}
