import type { BatchInput } from '../../contract/batches.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { AssistantVersionModel } from '../../db/models/assistant-version.ts';
import { BatchModel } from '../../db/models/batch.ts';
import type { CreatedBatch } from '../../db/models/batch.ts';
import { findSources } from '../../db/queries/batch-sources.ts';
import { startBatch } from '../../runtime/temporal/start-long-run.ts';
import type { ListedFilter } from '../../db/queries/list-sessions.ts';
import { readSessionFilter } from '../lookups/session-filter.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../errors.ts';
import { chooseSettings } from './choose-settings.ts';
import type { ChosenSettings } from './choose-settings.ts';
import { hashPayload, requireSamePayload } from './idempotent-payload.ts';
import { startBestEffort } from './start-best-effort.ts';

/** A batch that may be stored: its filter is counted, and the settings of a reanalysis are valid. */
export interface PreparedBatch extends Pick<BatchInput, 'action' | 'filter' | 'notify'> {
  user_id: string;
  conditions: ListedFilter;
  max_cost_usd: number | null;
  total: number;
  chosen: ChosenSettings | null;
}

/** Counts the sessions of a batch and chooses its settings. Throws `validation_failed` where it must not be begun. */
export async function prepareBatch(
  { config, prices }: Pick<ApiDeps, 'config' | 'prices'>,
  user_id: string,
  { dry_run: _, ...input }: BatchInput,
): Promise<PreparedBatch> {
  const { action, filter, notify, max_cost_usd = null } = input;
  const chosen = action === 'reanalyze' ? await chooseForBatch({ config }, user_id, input) : null;
  if (chosen && max_cost_usd !== null) requirePrice(prices, chosen);
  const conditions = await readSessionFilter(user_id, filter).catch(inFilter);
  const most = config.quotas.sessionsPerBatch;
  const total = await findSources({ user_id, action, conditions })
    .select('sessions.id')
    .limit(most + 1)
    .resultSize();
  if (total > most) {
    throw invalid({ path: 'filter', message: `matches more than ${most} sessions, the most that one batch takes` });
  }
  return { user_id, action, filter, conditions, notify, max_cost_usd, total, chosen };
}

/** Refuses a limit that would hold nothing back: a call whose price is not known counts as none. */
function requirePrice(prices: ApiDeps['prices'], { settings: { llm_provider, llm_model } }: ChosenSettings): void {
  if (prices.priceOf(llm_provider, llm_model, { input_tokens: 1, output_tokens: 1 }) !== null) return;
  throw invalid({ path: 'max_cost_usd', message: `nothing is known of the price of ${llm_model}` });
}

/** Names the fields of a refusal where the body has them. */
function inFilter(error: unknown): never {
  if (!(error instanceof ApiError) || error.extras.errors === undefined) throw error;
  throw invalid(...error.extras.errors.map((each) => ({ ...each, path: `filter.${each.path}` })));
}

/** Returns the settings of the new sessions: those of a version, or the assistant's own with overrides in their place. */
async function chooseForBatch(
  deps: Pick<ApiDeps, 'config'>,
  userId: string,
  { filter, version, overrides = {} }: Pick<BatchInput, 'filter' | 'version' | 'overrides'>,
): Promise<ChosenSettings> {
  const assistant = await AssistantModel.findOwned(userId, filter.assistant_id ?? '');
  if (!assistant) throw invalid({ path: 'filter.assistant_id', message: 'no assistant of yours has this id' });
  if (version === undefined) return chooseSettings(deps, assistant, { overrides, path: 'overrides' });
  const found = await AssistantVersionModel.findOf(assistant, version);
  if (!found) throw invalid({ path: 'version', message: 'this assistant has no such version' });
  const { settings } = chooseSettings(deps, assistant, { overrides: found.settings, path: 'version' });
  return { settings, version };
}

/** A client's key and the digest of what it stands for. */
export type BatchKey = { [K in 'idempotency_key' | 'payload_hash']: NonNullable<BatchModel[K]> };

/** Returns the key of a request; undefined where the client gave none. */
export function readBatchKey(key: string | undefined, { dry_run: _, ...asked }: BatchInput): BatchKey | undefined {
  return key === undefined ? undefined : { idempotency_key: key, payload_hash: hashPayload(['batch', asked]) };
}

/** Returns the batch that the client's key stands for; undefined if there is none. */
export async function findReplayedBatch(userId: string, key: BatchKey | undefined): Promise<BatchModel | undefined> {
  const batch = await BatchModel.findByKey(userId, key?.idempotency_key);
  if (key && batch?.payload_hash) requireSamePayload(batch.payload_hash, key.payload_hash);
  return batch;
}

/**
 * Stores a batch and starts its workflow; should that fail, the sweep starts it. Of requests with the same key at the same
 * moment one makes it.
 */
export async function createBatch(
  deps: Pick<ApiDeps, 'config' | 'temporal' | 'log'>,
  { chosen, ...prepared }: PreparedBatch,
  key?: BatchKey,
): Promise<CreatedBatch> {
  const max = deps.config.quotas.runningBatches;
  const settings = chosen?.settings ?? null;
  const created = await BatchModel.create(
    {
      ...prepared,
      ...key,
      settings,
      assistant_version: chosen?.version ?? null,
      simulated: settings !== null && deps.config.providers[settings.llm_provider].isSimulated,
    },
    max,
  );
  if (!created)
    throw new ApiError('quota_exceeded', `${max} of your batches run, which is as many as may. Cancel one first.`);
  const { id, payload_hash } = created.batch;
  if (key && payload_hash) requireSamePayload(payload_hash, key.payload_hash);
  if (created.isNew) await startBestEffort(deps, id, () => startBatch(deps.temporal, id));
  return created;
}
