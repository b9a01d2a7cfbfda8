/** What a reanalysis would cost, before anything is stored or paid. */
import { LLM_MAX_OUTPUT_TOKENS } from '../../contract/constants.ts';
import type { ReanalysisEstimate } from '../../contract/session-operations.ts';
import type { FrozenAssistant, Turn } from '../../contract/sessions.ts';
import { toLines } from '../../contract/turn-lines.ts';
import type { CallUsage } from '../../db/models/vendor-call.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import type { ApiDeps } from '../deps.ts';
import type { OwnedSession } from '../lookups/find-session.ts';
import type { Overrides } from './choose-settings.ts';
import { prepareReanalysis } from './reanalyze-session.ts';

type Deps = Pick<ApiDeps, 'config' | 'prices'>;

/** Bytes of what a prompt holds beside the assistant's own words and the conversation. */
const FRAME_BYTES = 4_000;
/** Bytes of a turn's number and time. */
const TURN_BYTES = 24;

/** Returns the expected and the highest cost of one call. Throws what the reanalysis itself would be refused with. */
export async function estimateReanalysis(
  { config, prices }: Deps,
  session: OwnedSession,
  overrides: Overrides,
): Promise<ReanalysisEstimate> {
  const { source, conversation, settings } = await prepareReanalysis({ config }, session, overrides);
  const { llm_provider, llm_model } = settings;
  const bytes = bytesOf(settings, conversation);
  // A tokenizer makes at most one token of a byte.
  const most = { input_tokens: bytes, output_tokens: LLM_MAX_OUTPUT_TOKENS };
  const before = await findUsage(source.id);
  const expected = before && {
    input_tokens: Math.round((before.input_tokens * bytes) / bytesOf(source.assistant, conversation)),
    output_tokens: before.output_tokens,
  };
  const costOf = (usage: CallUsage | null) => prices.priceOf(llm_provider, llm_model, usage);
  return {
    dry_run: true,
    ...{ llm_provider, llm_model },
    expected_usage: expected,
    expected_cost_usd: costOf(expected),
    max_cost_usd: costOf(most),
  };
}

function bytesOf(assistant: FrozenAssistant, conversation: readonly Turn[]): number {
  const { system_prompt, ...rest } = assistant;
  const turns = conversation.map((turn) => Buffer.byteLength(toLines(turn)) + TURN_BYTES);
  const settings = Buffer.byteLength(system_prompt) + Buffer.byteLength(JSON.stringify(rest));
  return turns.reduce((sum, length) => sum + length, settings + FRAME_BYTES);
}

/** Returns what the session's last analysis used; null if none has succeeded. */
async function findUsage(sessionId: string) {
  const calls = await VendorCallModel.findOfSession(sessionId);
  const { input_tokens, output_tokens } =
    calls.findLast(({ step, status }) => step === 'analysis' && status === 'succeeded')?.usage ?? {};
  return input_tokens === undefined || output_tokens === undefined ? null : { input_tokens, output_tokens };
}
