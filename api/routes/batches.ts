import { compareBatch } from '../../contract/batch-comparison.ts';
import * as contract from '../../contract/batches.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { countChanges, findComparedPage } from '../../db/queries/compare-batch.ts';
import { cancelBatch } from '../commands/cancel-batch.ts';
import { createBatch, prepareBatch } from '../commands/create-batch.ts';
import { estimateBatch } from '../commands/estimate-batch.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { handle, Reply } from '../http/handle.ts';
import { findBatch } from '../lookups/find-batch.ts';
import { presentBatch } from '../presenters/batch.ts';
import { presentComparison } from '../presenters/batch-comparison.ts';

const DEFAULT_PAGE = 50;

export const batchRoutes = (deps: ApiDeps) => [
  handle(contract.createBatch, async ({ body, userId }) => {
    const prepared = await prepareBatch(deps, userId, body);
    if (body.dry_run) return new Reply(await estimateBatch(deps, prepared), { status: 200 });
    return new Reply(presentBatch(await createBatch(deps, prepared)), { status: 202 });
  }),

  handle(contract.listBatches, async ({ query: { limit = DEFAULT_PAGE, cursor, status }, userId }) => {
    const { rows, next_cursor } = await BatchModel.findOwnedPage(userId, { status }, { limit, cursor });
    return { data: rows.map(presentBatch), next_cursor };
  }),

  handle(contract.getBatch, async ({ params, userId }) => presentBatch(await findBatch(userId, params.id))),

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
