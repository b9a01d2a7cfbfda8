import { compareBatch } from '../../contract/sessions/batch-comparison.ts';
import * as contract from '../../contract/sessions/batches.ts';
import { BatchModel, type CreatedBatch } from '../../db/models/batch.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal, requireFound } from '../errors.ts';
import { creatorOf, requireScope } from '../guard/authenticate.ts';
import { DEFAULT_PAGE, handle, presentPage } from '../http/handle.ts';
import { Reply } from '../reply.ts';
import { cancelBatch, createBatch, findReplayedBatch, prepareBatch, readBatchKey } from './commands.ts';
import { estimateBatch } from './estimate-batch.ts';
import { compareSessions } from './compare-sessions.ts';
import { findTested, presentBatch, summarizeBatch } from './present.ts';

const findBatch = async (workspaceId: string, id: string) =>
  requireFound(await BatchModel.findOwned(workspaceId, id), 'batch');

const accepted = async ({ batch, isNew }: CreatedBatch) =>
  new Reply(await presentBatch(batch), { status: 202, ...(!isNew && { headers: { 'Idempotent-Replayed': 'true' } }) });

export const batchRoutes = (deps: ApiDeps) => [
  handle(contract.createBatch, async ({ body, workspaceId, headers, ...caller }) => {
    if (body.action === 'delete') requireScope(caller, 'sessions:delete', 'action');
    if (body.action === 'redeliver') requireScope(caller, 'webhooks:write', 'action');
    if (body.action === 'analyze') requireScope(caller, 'requests:write', 'action');
    const key = body.dry_run ? undefined : readBatchKey(headers['idempotency-key'], body);
    const replayed = await findReplayedBatch(workspaceId, key);
    if (replayed) return accepted({ batch: replayed, isNew: false });
    const prepared = await prepareBatch(deps, { workspace_id: workspaceId, created_by: creatorOf(caller) }, body);
    if (body.dry_run) return new Reply(await estimateBatch(deps, prepared), { status: 200 });
    return accepted(await createBatch(deps, prepared, key));
  }),

  handle(contract.listBatches, async ({ query: { limit = DEFAULT_PAGE, cursor, ...filter }, workspaceId }) => {
    const page = await BatchModel.findOwnedPage(workspaceId, filter, { limit, cursor });
    const assistants = await findTested(page.rows);
    return presentPage(page, (row) => summarizeBatch(row, assistants));
  }),

  handle(contract.getBatch, async ({ params, workspaceId }) => presentBatch(await findBatch(workspaceId, params.id))),

  handle(contract.updateBatch, async ({ params, body, workspaceId }) => {
    await findBatch(workspaceId, params.id);
    const changed = await BatchModel.setMaxCost(workspaceId, params.id, body.max_cost_usd);
    if (!changed) throw refusal('batch_ended');
    return presentBatch(changed);
  }),

  handle(compareBatch, async ({ params, query: { limit = DEFAULT_PAGE, different, ...query }, workspaceId }) => {
    const batch = await findBatch(workspaceId, params.id);
    if (batch.action !== 'reanalyze') throw refusal('not_reanalyses');
    return compareSessions(batch, { limit, different: different === 'true', ...query });
  }),

  handle(contract.cancelBatch, async ({ params, workspaceId }) => {
    await cancelBatch(deps, await findBatch(workspaceId, params.id));
    return presentBatch(await findBatch(workspaceId, params.id));
  }),
];
