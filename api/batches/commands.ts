import type { Batch, BatchInput } from '../../contract/sessions/batches.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { AssistantVersionModel } from '../../db/models/assistant-version.ts';
import { BatchModel, type CreatedBatch } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { countSources } from '../../db/queries/batch-sources.ts';
import type { ListedFilter } from '../../db/queries/list-sessions.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import { startBatch } from '../../runtime/temporal/start.ts';
import { chooseSettings, type ChosenSettings } from '../assistants/settings.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid, invalidAt, refusal } from '../errors.ts';
import { hashPayload, requireSamePayload } from '../requests/idempotency.ts';
import { endUnstarted } from '../../db/queries/end-unstarted.ts';
import { readSessionFilter } from '../sessions/session-filter.ts';
import { tryTemporal } from '../temporal.ts';

/** A valid batch that is not stored yet. */
export interface PreparedBatch extends Pick<BatchInput, 'action' | 'filter' | 'notify'> {
  workspace_id: string;
  created_by: string;
  name: string | null;
  overrides: Batch['overrides'];
  conditions: ListedFilter;
  max_cost_usd: number | null;
  total: number;
  chosen: ChosenSettings | null;
}

/** Counts the sessions or deliveries of a batch and chooses its settings. Throws `validation_failed` if the batch is invalid. */
export async function prepareBatch(
  { config, prices }: Pick<ApiDeps, 'config' | 'prices'>,
  { workspace_id, created_by }: { workspace_id: string; created_by: string },
  { dry_run: _, ...input }: BatchInput,
): Promise<PreparedBatch> {
  const { name = null, action, filter, overrides = null, notify, max_cost_usd = null } = input;
  const isOfAssistant = action === 'reanalyze' || action === 'score' || action === 'analyze';
  const chosen = isOfAssistant ? await chooseForBatch({ config }, workspace_id, input) : null;
  if (chosen && max_cost_usd !== null) requirePrice(prices, chosen);
  const conditions = await readSessionFilter(workspace_id, filter).catch((error: unknown) => {
    // The paths of the fields are those in the body.
    if (!(error instanceof ApiError) || error.extras.errors === undefined) throw error;
    throw invalid(...error.extras.errors.map((each) => ({ ...each, path: `filter.${each.path}` })));
  });
  const most = config.quotas.sessionsPerBatch;
  const total = await countSources({ workspace_id, action, conditions, settings: chosen?.settings ?? null }, most + 1);
  if (total > most) {
    throw invalidAt('filter', 'rows:batch', { max: most, unit: action === 'redeliver' ? 'deliveries' : 'sessions' });
  }
  return { workspace_id, created_by, name, action, filter, overrides, conditions, notify, max_cost_usd, total, chosen };
}

/** Refuses a cost limit for a model without a known price, because its calls would not count. */
function requirePrice(prices: ApiDeps['prices'], { settings: { llm_provider, llm_model } }: ChosenSettings): void {
  if (prices.priceOf(llm_provider, llm_model, { input_tokens: 1, output_tokens: 1 }) !== null) return;
  throw invalidAt('max_cost_usd', 'cost_unknown', { model: llm_model });
}

/** Returns the settings of the new sessions: those of a version, or the assistant's with the overrides. */
async function chooseForBatch(
  deps: Pick<ApiDeps, 'config'>,
  workspaceId: string,
  { action, filter, assistant_id, version, economy = false, overrides = {} }: Omit<BatchInput, 'dry_run'>,
): Promise<ChosenSettings> {
  const [path, id] =
    action === 'analyze' ? ['assistant_id', assistant_id] : ['filter.assistant_id', filter.assistant_id];
  const assistant = await AssistantModel.findOwned(workspaceId, id ?? '');
  if (!assistant) throw invalidAt(path, 'not_assistant');
  if (action === 'score') return { settings: assistant.freeze(), version: assistant.version };
  assistant.economy ||= economy;
  if (version === undefined) return chooseSettings(deps, assistant, { overrides, path: 'overrides' });
  const found = await AssistantVersionModel.findOf(assistant, version);
  if (!found) throw invalidAt('version', 'not_version');
  const { settings } = chooseSettings(deps, assistant, { overrides: found.settings, path: 'version' });
  return { settings, version };
}

/** An idempotency key, and the hash of its request. */
type BatchKey = { [K in 'idempotency_key' | 'payload_hash']: NonNullable<BatchModel[K]> };

/** Returns the idempotency key of a request, or undefined if the client sent none. */
export function readBatchKey(key: string | undefined, { dry_run: _, ...request }: BatchInput): BatchKey | undefined {
  return key === undefined ? undefined : { idempotency_key: key, payload_hash: hashPayload(['batch', request]) };
}

/** Returns the batch that was created with the key, if any. */
export async function findReplayedBatch(
  workspaceId: string,
  key: BatchKey | undefined,
): Promise<BatchModel | undefined> {
  const batch = await BatchModel.findByKey(workspaceId, key?.idempotency_key);
  if (key && batch?.payload_hash) requireSamePayload(batch.payload_hash, key.payload_hash);
  return batch;
}

/** Stores a batch and starts its workflow. Of concurrent requests with the same key, one creates the batch. */
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
      simulated: settings !== null && deps.config.providers.analysis[settings.llm_provider].isSimulated,
    },
    max,
  );
  if (!created) throw refusal('batches_limit', { max });
  const { id, payload_hash } = created.batch;
  if (key && payload_hash) requireSamePayload(payload_hash, key.payload_hash);
  if (created.isNew) await tryTemporal(deps, id, () => startBatch(deps.temporal, id));
  return created;
}

/**
 * Stops a batch from starting more sessions or deliveries. Queued sessions of a reanalysis are canceled. Running sessions and
 * deliveries continue, and so do retried ones, because a canceled session cannot be retried again.
 */
export async function cancelBatch(
  deps: Pick<ApiDeps, 'temporal' | 'log'>,
  { id, workspace_id, action }: BatchModel,
): Promise<void> {
  if (!(await BatchModel.cancel(workspace_id, id))) throw refusal('batch_ended:cancel');
  if (action !== 'reanalyze' && action !== 'analyze') return;
  const queued = await SessionModel.query().select('id').where({ batch_id: id, status: 'queued' });
  const cancel = async (sessionId: string) => {
    // A step of the batch may have stored the session without starting it yet.
    if (!(await cancelWorkflow(deps.temporal, sessionId))) await endUnstarted(sessionId);
  };
  await Promise.all(queued.map((session) => tryTemporal(deps, session.id, () => cancel(session.id))));
}
