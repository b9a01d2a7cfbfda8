/** What a batch would cost, before anything is begun: docs/decisions.md, "Batches". */
import type { BatchEstimate } from '../../contract/batches.ts';
import type { LlmProviderName, SttProviderName } from '../../contract/constants.ts';
import type { FrozenAssistant } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { roundUsd } from '../../db/models/vendor-call.ts';
import { findSources } from '../../db/queries/batch-sources.ts';
import { findMeanUsage } from '../../db/queries/usage-of-sessions.ts';
import type { AnalysisUsage } from '../../db/queries/usage-of-sessions.ts';
import type { ApiDeps } from '../deps.ts';
import type { PreparedBatch } from './create-batch.ts';

/** Sessions that an estimate looks at. */
const SAMPLE = 2_000;

/** Characters of a token, and tokens of the answer to a field, as measured with all vendors' tokenizers. */
const BYTES_PER_TOKEN = 3.5;
const TOKENS_PER_FIELD = 20;

/** How far the tokenizers of two vendors lie apart. */
const OTHER_TOKENIZER = 1.15;

/** US dollars; null: not known. */
interface Cost {
  expected: number | null;
  most: number | null;
}

export async function estimateBatch({ prices }: Pick<ApiDeps, 'prices'>, batch: PreparedBatch): Promise<BatchEstimate> {
  const { expected, most } = await COST_OF[batch.action](prices, batch);
  return {
    dry_run: true,
    total: batch.total,
    expected_cost_usd: expected,
    max_cost_usd: most,
    sampled: batch.action === 'reanalyze' && batch.total > SAMPLE,
  };
}

type Prices = ApiDeps['prices'];

const FREE: Cost = { expected: 0, most: 0 };

const COST_OF: Record<PreparedBatch['action'], (prices: Prices, batch: PreparedBatch) => Promise<Cost>> = {
  reanalyze: costOfReanalyses,
  retry: costOfRetries,
  delete: async () => FREE,
};

/** Reckons with what the same conversations used before. */
async function costOfReanalyses(prices: Prices, batch: PreparedBatch): Promise<Cost> {
  if (batch.chosen === null || batch.total === 0) return FREE;
  const { settings } = batch.chosen;
  const everyNth = Math.ceil(batch.total / SAMPLE);
  const sample = findSources(batch).select('sessions.id').whereRaw('hashtext(sessions.id) % ? = 0', everyNth);
  const before = await findMeanUsage(sample);
  if (!before) return { expected: null, most: null };
  const isOther = settings.llm_provider !== before.llm_provider;
  return times(batch.total, costOfAnalysis(prices, settings, change(before, settings, isOther ? OTHER_TOKENIZER : 1)));
}

/** Returns the usage of the same conversations with other settings. */
function change(before: AnalysisUsage, settings: FrozenAssistant, factor: number): AnalysisUsage {
  const moreInput = (Buffer.byteLength(JSON.stringify(settings)) - before.settings_bytes) / BYTES_PER_TOKEN;
  const moreOutput = ((settings.fields?.length ?? 0) - before.fields) * TOKENS_PER_FIELD;
  const tokens = (count: number, more: number) => Math.max(0, Math.round((count + more) * factor));
  return {
    ...before,
    input_tokens: tokens(before.input_tokens, moreInput),
    output_tokens: tokens(before.output_tokens, moreOutput),
    long_output_tokens: tokens(before.long_output_tokens, moreOutput),
  };
}

interface RetriedGroup {
  assistant_id: string;
  llm_provider: LlmProviderName;
  llm_model: string;
  /** null: nothing is left to transcribe. */
  stt_provider: SttProviderName | null;
  stt_model: string | null;
  sessions: number;
  audio_seconds: number | null;
}

/** Reckons with what other sessions of the same assistants used, and with the length of what is to be transcribed. */
async function costOfRetries(prices: Prices, batch: PreparedBatch): Promise<Cost> {
  const groups = await findSources(batch)
    .select(SessionModel.raw(GROUPED))
    .groupByRaw('1, 2, 3, 4, 5')
    .castTo<RetriedGroup[]>();
  let sum: Cost = FREE;
  for (const group of groups) {
    const { assistant_id, sessions, stt_provider, stt_model, audio_seconds } = group;
    const used = await findMeanUsage(latestOf(batch.user_id, assistant_id));
    const analysis = used ? times(sessions, costOfAnalysis(prices, group, used)) : { expected: null, most: null };
    const spoken = audio_seconds === null ? null : { audio_seconds };
    const transcription = stt_provider === null ? 0 : prices.priceOf(stt_provider, stt_model, spoken);
    sum = add(sum, add(analysis, { expected: transcription, most: transcription }));
  }
  return sum;
}

const GROUPED = `assistant_id, assistant ->> 'llm_provider' as llm_provider, sessions.llm_model,
  case when transcript is null then assistant ->> 'stt_provider' end as stt_provider,
  case when transcript is null then assistant ->> 'stt_model' end as stt_model,
  count(*)::int as sessions, sum(audio_duration_s) filter (where transcript is null) as audio_seconds`;

const latestOf = (user_id: string, assistant_id: string) =>
  SessionModel.query()
    .select('id')
    .where({ user_id, assistant_id, status: 'completed' })
    .orderBy('id', 'desc')
    .limit(SAMPLE);

function costOfAnalysis(
  prices: Prices,
  { llm_provider, llm_model }: Pick<FrozenAssistant, 'llm_provider' | 'llm_model'>,
  { input_tokens, output_tokens, long_output_tokens }: AnalysisUsage,
): Cost {
  const asked = prices.priceOf(llm_provider, llm_model, { input_tokens, output_tokens });
  const longest = prices.priceOf(llm_provider, llm_model, { input_tokens, output_tokens: long_output_tokens });
  // An answer that is cut off or does not fit is asked for once more.
  return { expected: asked, most: longest === null ? null : 2 * OTHER_TOKENIZER * longest };
}

const times = (count: number, { expected, most }: Cost): Cost => ({
  expected: expected === null ? null : roundUsd(count * expected),
  most: most === null ? null : roundUsd(count * most),
});

const sumOf = (a: number | null, b: number | null) => (a === null || b === null ? null : roundUsd(a + b));

const add = (a: Cost, b: Cost): Cost => ({ expected: sumOf(a.expected, b.expected), most: sumOf(a.most, b.most) });
