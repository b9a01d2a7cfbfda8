/** Estimates the cost of a batch before it starts. docs/decisions.md, "Batches". */
import type { BatchEstimate } from '../../contract/sessions/batches.ts';
import type { LlmProviderName, SttProviderName } from '../../contract/values/constants.ts';
import { hasFlex } from '../../contract/values/providers.ts';
import { SessionModel } from '../../db/models/session.ts';
import { roundUsd } from '../../runtime/prices/call-usage.ts';
import { countFutureReceivers } from '../../db/queries/batch-deliveries.ts';
import { findSources } from '../../db/queries/batch-sources.ts';
import { findMeanUsage, findUsageOfAssistants } from '../../db/queries/usage-of-sessions.ts';
import type { ApiDeps } from '../deps.ts';
import type { PreparedBatch } from './commands.ts';
import { changeSettings, costOfAnalysis, type Cost } from '../sessions/estimate-cost.ts';

/** Sessions that an estimate reads, distributed over the assistants. */
const SAMPLE = 2_000;
/** Fewest sessions of each assistant. */
const MIN_SAMPLE = 20;

export async function estimateBatch({ prices }: Pick<ApiDeps, 'prices'>, batch: PreparedBatch): Promise<BatchEstimate> {
  const { expected, most } = await COST_OF[batch.action](prices, batch);
  const { settings } = batch.chosen ?? {};
  const factor = settings && hasFlex(settings.llm_provider) ? 0.5 : 1;
  return {
    dry_run: true,
    total: batch.total,
    expected_cost_usd: expected,
    max_cost_usd: most,
    ...(settings?.economy && { economy_cost_usd: expected && roundUsd(expected * factor) }),
    sampled: batch.chosen !== null && batch.action !== 'score' && batch.total > SAMPLE,
    receivers: batch.action === 'redeliver' ? await countFutureReceivers(batch) : null,
  };
}

type Prices = ApiDeps['prices'];

const FREE: Cost = { expected: 0, most: 0 };

const COST_OF: Record<PreparedBatch['action'], (prices: Prices, batch: PreparedBatch) => Promise<Cost>> = {
  reanalyze: costOfReanalyses,
  analyze: costOfReanalyses,
  retry: costOfRetries,
  delete: async () => FREE,
  redeliver: async () => FREE,
  cancel: async () => FREE,
  score: async () => FREE,
};

/** Estimates from the past usage of the same conversations. */
async function costOfReanalyses(prices: Prices, batch: PreparedBatch): Promise<Cost> {
  if (batch.chosen === null || batch.total === 0) return FREE;
  const { settings } = batch.chosen;
  const everyNth = Math.ceil(batch.total / SAMPLE);
  const sample = findSources({ ...batch, settings })
    .select('sessions.id')
    .whereRaw('hashtext(sessions.id) % ? = 0', everyNth);
  const before = await findMeanUsage(sample);
  return times(batch.total, costOfAnalysis({ prices }, settings, before && changeSettings(before, settings)));
}

interface RetriedGroup {
  assistant_id: string;
  llm_provider: LlmProviderName;
  llm_model: string;
  /** null: nothing needs to be transcribed. */
  stt_provider: SttProviderName | null;
  stt_model: string | null;
  sessions: number;
  audio_seconds: number | null;
}

/** Estimates from the latest sessions of the same assistants, and the duration of recordings to transcribe. */
async function costOfRetries(prices: Prices, batch: PreparedBatch): Promise<Cost> {
  const groups = await findSources(batch)
    .select(SessionModel.raw(GROUPED))
    .groupByRaw('1, 2, 3, 4, 5')
    .castTo<RetriedGroup[]>();
  if (groups.length === 0) return FREE;
  const assistants = [...new Set(groups.map(({ assistant_id }) => assistant_id))];
  const sessionsOfEach = Math.max(MIN_SAMPLE, Math.floor(SAMPLE / assistants.length));
  const usage = await findUsageOfAssistants(batch.workspace_id, assistants, sessionsOfEach);
  return groups.reduce((sum, group) => {
    const { assistant_id, sessions, stt_provider, stt_model, audio_seconds } = group;
    const analysis = times(sessions, costOfAnalysis({ prices }, group, usage.get(assistant_id)));
    const duration = audio_seconds === null ? null : { audio_seconds };
    const transcription = stt_provider === null ? 0 : prices.priceOf(stt_provider, stt_model, duration);
    return add(sum, add(analysis, { expected: transcription, most: transcription }));
  }, FREE);
}

const GROUPED = `assistant_id, assistant ->> 'llm_provider' as llm_provider, sessions.llm_model,
  case when transcript is null then assistant ->> 'stt_provider' end as stt_provider,
  case when transcript is null then assistant ->> 'stt_model' end as stt_model,
  count(*)::int as sessions, sum(audio_duration_s) filter (where transcript is null) as audio_seconds`;

const times = (count: number, { expected, most }: Cost): Cost => ({
  expected: expected === null ? null : roundUsd(count * expected),
  most: most === null ? null : roundUsd(count * most),
});

const sumOf = (a: number | null, b: number | null) => (a === null || b === null ? null : roundUsd(a + b));

const add = (a: Cost, b: Cost): Cost => ({ expected: sumOf(a.expected, b.expected), most: sumOf(a.most, b.most) });
