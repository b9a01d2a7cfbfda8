import * as contract from '../../contract/sessions/deliveries.ts';
import {
  cancelRedelivery,
  getRedelivery,
  listRedeliveries,
  redeliverMany,
} from '../../contract/sessions/redeliveries.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import { startRedelivery } from '../../runtime/temporal/start.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, requireFound } from '../errors.ts';
import { DEFAULT_PAGE, handle, presentCount, presentPage } from '../http/handle.ts';
import { Reply } from '../reply.ts';
import { findSession } from '../runs/read-session.ts';
import { tryTemporal } from '../temporal.ts';
import { redeliver, retryNow, stopDelivery, testWebhook } from './commands.ts';
import { presentDelivery, presentDeliveryListItem, presentRedelivery, presentRedeliveryPreview } from './present.ts';

const findDelivery = async (workspaceId: string, id: string) =>
  requireFound(await DeliveryModel.findOwned(workspaceId, id), 'delivery');

const findRedelivery = async (workspaceId: string, id: string) =>
  requireFound(await RedeliveryModel.findOwned(workspaceId, id), 'redelivery');

export const deliveryRoutes = (deps: ApiDeps) => [
  handle(contract.listDeliveries, async ({ query: { limit = DEFAULT_PAGE, cursor, ...filter }, workspaceId }) =>
    presentPage(await DeliveryModel.findOwnedPage(workspaceId, filter, { limit, cursor }), presentDeliveryListItem),
  ),

  handle(contract.countDeliveries, ({ query, workspaceId }) =>
    presentCount((most) => DeliveryModel.countOwned(workspaceId, query, most)),
  ),

  handle(contract.listSessionDeliveries, async ({ params, query: { limit = DEFAULT_PAGE, cursor }, workspaceId }) => {
    const { id } = await findSession(workspaceId, params.id);
    return presentPage(await DeliveryModel.findPageOfSession(workspaceId, id, { limit, cursor }), presentDelivery);
  }),

  handle(contract.getDelivery, async ({ params, workspaceId }) => {
    const row = await findDelivery(workspaceId, params.id);
    return { ...presentDelivery(row), payload: row.payload };
  }),

  handle(contract.redeliver, async ({ params, workspaceId }) =>
    presentDelivery(await redeliver(deps, await findDelivery(workspaceId, params.id))),
  ),

  handle(contract.retryDeliveryNow, async ({ params, workspaceId }) => {
    await retryNow(deps, await findDelivery(workspaceId, params.id));
    return presentDelivery(await findDelivery(workspaceId, params.id));
  }),

  handle(contract.stopDelivery, async ({ params, workspaceId }) => {
    await stopDelivery(deps, await findDelivery(workspaceId, params.id));
    return presentDelivery(await findDelivery(workspaceId, params.id));
  }),

  handle(contract.testWebhook, async ({ params, workspaceId }) =>
    presentDelivery(await testWebhook(deps, await findAssistant(workspaceId, params.id))),
  ),

  handle(redeliverMany, async ({ body: { dry_run, ...given }, workspaceId }) => {
    const filter = given.delivery_id ? given : { ...given, status: given.status ?? ('failed' as const) };
    if (dry_run) {
      return new Reply(presentRedeliveryPreview(await RedeliveryModel.preview(workspaceId, filter)), { status: 200 });
    }
    const row = await RedeliveryModel.create(workspaceId, filter);
    await tryTemporal(deps, row.id, () => startRedelivery(deps.temporal, row.id));
    return new Reply(await presentRedelivery(row), { status: 202 });
  }),

  handle(listRedeliveries, async ({ query: { limit = DEFAULT_PAGE, cursor, status }, workspaceId }) => {
    const { rows, next_cursor } = await RedeliveryModel.findOwnedPage(workspaceId, { status }, { limit, cursor });
    return { data: await Promise.all(rows.map(presentRedelivery)), next_cursor };
  }),

  handle(getRedelivery, async ({ params, workspaceId }) =>
    presentRedelivery(await findRedelivery(workspaceId, params.id)),
  ),

  handle(cancelRedelivery, async ({ params, workspaceId }) => {
    const { id } = await findRedelivery(workspaceId, params.id);
    if ((await RedeliveryModel.end(id, 'canceled')) === 0) {
      throw new ApiError('conflict', 'This redelivery has already ended.');
    }
    await tryTemporal(deps, id, () => cancelWorkflow(deps.temporal, id));
    return presentRedelivery(await findRedelivery(workspaceId, id));
  }),
];
