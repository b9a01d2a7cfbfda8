import { cancelRedelivery, getRedelivery, listRedeliveries, redeliverMany } from '../../contract/redeliveries.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { startRedelivery } from '../../runtime/temporal/start-long-run.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import { startBestEffort } from '../commands/start-best-effort.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { handle, Reply } from '../http/handle.ts';
import { presentRedelivery, presentRedeliveryPreview } from '../presenters/redelivery.ts';

const DEFAULT_PAGE = 50;

async function findOwned(userId: string, id: string): Promise<RedeliveryModel> {
  const row = await RedeliveryModel.findOwned(userId, id);
  if (!row) throw new ApiError('not_found', 'No redelivery of yours has this id.');
  return row;
}

/** Shows a redelivery with the counts of the deliveries themselves, read now. */
const show = async (row: RedeliveryModel) => presentRedelivery(row, await row.countDeliveries());

export const redeliveryRoutes = (deps: ApiDeps) => [
  handle(redeliverMany, async ({ body: { dry_run, ...filter }, userId }) => {
    if (dry_run) {
      return new Reply(presentRedeliveryPreview(await RedeliveryModel.preview(userId, filter)), { status: 200 });
    }
    const row = await RedeliveryModel.create(userId, filter);
    await startBestEffort(deps, row.id, () => startRedelivery(deps.temporal, row.id));
    return new Reply(await show(row), { status: 202 });
  }),

  handle(listRedeliveries, async ({ query: { limit = DEFAULT_PAGE, cursor, status }, userId }) => {
    const { rows, next_cursor } = await RedeliveryModel.findOwnedPage(userId, { status }, { limit, cursor });
    return { data: await Promise.all(rows.map(show)), next_cursor };
  }),

  handle(getRedelivery, async ({ params, userId }) => show(await findOwned(userId, params.id))),

  handle(cancelRedelivery, async ({ params, userId }) => {
    const { id } = await findOwned(userId, params.id);
    if ((await RedeliveryModel.end(id, 'canceled')) === 0) {
      throw new ApiError('conflict', 'This redelivery has ended already.');
    }
    await startBestEffort(deps, id, async () => {
      await cancelWorkflow(deps.temporal, id);
    });
    return show(await findOwned(userId, id));
  }),
];
