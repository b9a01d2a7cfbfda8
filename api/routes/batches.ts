import { compareBatch } from '../../contract/batch-comparison.ts';
import * as contract from '../../contract/batches.ts';
import { listBatchItems } from '../../contract/batch-items.ts';
import { BatchModel } from '../../db/models/batch.ts';
import type { CreatedBatch } from '../../db/models/batch.ts';
import { findItemsPage } from '../../db/queries/batch-items-page.ts';
import { countChanges, findComparedPage } from '../../db/queries/compare-batch.ts';
import { cancelBatch } from '../commands/cancel-batch.ts';
import { createBatch, findReplayedBatch, prepareBatch, readBatchKey } from '../commands/create-batch.ts';
import { estimateBatch } from '../commands/estimate-batch.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { handle, Reply } from '../http/handle.ts';
import { findBatch } from '../lookups/find-batch.ts';
import { presentBatch } from '../presenters/batch.ts';
import { presentComparison } from '../presenters/batch-comparison.ts';

const DEFAULT_PAGE = 50;

const accepted = ({ batch, isNew }: CreatedBatch) =>
  new Reply(presentBatch(batch), { status: 202, ...(!isNew && { headers: { 'Idempotent-Replayed': 'true' } }) });

export const batchRoutes = (deps: ApiDeps) => [
  handle(contract.createBatch, async ({ body, userId, headers }) => {
    const key = body.dry_run ? undefined : readBatchKey(headers['idempotency-key'], body);
    const replayed = await findReplayedBatch(userId, key);
    if (replayed) return accepted({ batch: replayed, isNew: false });
    const prepared = await prepareBatch(deps, userId, body);
    if (body.dry_run) return new Reply(await estimateBatch(deps, prepared), { status: 200 });
    return accepted(await createBatch(deps, prepared, key));
  }),

  handle(contract.listBatches, async ({ query: { limit = DEFAULT_PAGE, cursor, status }, userId }) => {
    const { rows, next_cursor } = await BatchModel.findOwnedPage(userId, { status }, { limit, cursor });
    return { data: rows.map(presentBatch), next_cursor };
  }),

  handle(contract.getBatch, async ({ params, userId }) => presentBatch(await findBatch(userId, params.id))),

  handle(contract.updateBatch, async ({ params, body, userId }) => {
    await findBatch(userId, params.id);
    const changed = await BatchModel.setMaxCost(userId, params.id, body.max_cost_usd);
    if (!changed) throw new ApiError('conflict', 'This batch has ended or is being canceled.');
    return presentBatch(changed);
  }),

  handle(listBatchItems, async ({ params, query: { limit = DEFAULT_PAGE, ...query }, userId }) => {
    const { id } = await findBatch(userId, params.id);
    const { rows, next_cursor } = await findItemsPage(id, { limit, ...query });
    return { data: rows, next_cursor };
  }),

  handle(compareBatch, async ({ params, query: { limit = DEFAULT_PAGE, cursor, changed }, userId }) => {
    const batch = await findBatch(userId, params.id);
    if (batch.action !== 'reanalyze') throw new ApiError('conflict', 'Only a batch of reanalyses compares anything.');
    const [{ rows, next_cursor }, totals] = await Promise.all([
      findComparedPage(batch.id, { changed, limit, cursor }),
      cursor === undefined ? countChanges(batch) : null,
    ]);
    return { data: rows.map(presentComparison), next_cursor, totals };
  }),

  handle(contract.cancelBatch, async ({ params, userId }) =>
    presentBatch(await cancelBatch(deps, await findBatch(userId, params.id))),
  ),
];
