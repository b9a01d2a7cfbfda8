import * as contract from '../../contract/sessions/deliveries.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { isTimeCursor } from '../../db/page.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, requireFound } from '../errors.ts';
import { DEFAULT_PAGE, handle, presentCount, presentPage } from '../http/handle.ts';
import { findSession } from '../runs/read-session.ts';
import { redeliver, retryNow, stopDelivery, testWebhook } from './commands.ts';
import { presentDelivery, presentDeliveryListItem } from './present.ts';

const findDelivery = async (workspaceId: string, id: string) =>
  requireFound(await DeliveryModel.findOwned(workspaceId, id), 'delivery');

export const deliveryRoutes = (deps: ApiDeps) => [
  handle(contract.listDeliveries, async ({ query: { limit = DEFAULT_PAGE, cursor, sort, ...filter }, workspaceId }) => {
    if (cursor !== undefined && !(sort === 'created_at' ? isTimeCursor(cursor) : !cursor.includes(',')))
      throw invalidAt('cursor', 'combined:sort');
    const page = { limit, cursor, sort };
    return presentPage(await DeliveryModel.findOwnedPage(workspaceId, filter, page), presentDeliveryListItem);
  }),

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
];
