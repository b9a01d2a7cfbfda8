import {
  getDelivery,
  listDeliveries,
  listSessionDeliveries,
  redeliver as redeliverEndpoint,
  retryDeliveryNow,
  stopDelivery as stopDeliveryEndpoint,
  testWebhook as testWebhookEndpoint,
} from '../../contract/deliveries.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { PageRequest } from '../../db/page.ts';
import { answerWithList } from '../answers/answer-with-list.ts';
import { redeliver, testWebhook } from '../commands/redeliver.ts';
import { retryNow, stopDelivery } from '../commands/steer-delivery.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { handle } from '../http/handle.ts';
import { findSession } from '../lookups/find-session.ts';
import { presentDelivery, presentDeliveryListItem } from '../presenters/delivery.ts';

const DEFAULT_PAGE = 50;

async function findOwned(userId: string, id: string): Promise<DeliveryModel> {
  const row = await DeliveryModel.findOwned(userId, id);
  if (!row) throw new ApiError('not_found', 'No delivery of yours has this id.');
  return row;
}

export const deliveryRoutes = (deps: ApiDeps) => [
  handle(listDeliveries, async ({ query: { limit = DEFAULT_PAGE, cursor, ...filter }, userId }) => {
    const { rows, next_cursor } = await DeliveryModel.findOwnedPage(userId, filter, { limit, cursor });
    return { data: rows.map(presentDeliveryListItem), next_cursor };
  }),

  handle(listSessionDeliveries, async ({ params, query, userId }) => {
    const { id } = await findSession({ id: params.id, userId });
    const find = (page: PageRequest) => DeliveryModel.findPageOfSession(userId, id, page);
    return answerWithList(query, { userId, find, present: presentDelivery });
  }),

  handle(getDelivery, async ({ params, userId }) => {
    const row = await findOwned(userId, params.id);
    return { ...presentDelivery(row), payload: row.payload };
  }),

  handle(redeliverEndpoint, async ({ params, userId }) =>
    presentDelivery(await redeliver(deps, await findOwned(userId, params.id))),
  ),

  handle(retryDeliveryNow, async ({ params, userId }) => {
    await retryNow(deps, await findOwned(userId, params.id));
    return presentDelivery(await findOwned(userId, params.id));
  }),

  handle(stopDeliveryEndpoint, async ({ params, userId }) => {
    await stopDelivery(deps, await findOwned(userId, params.id));
    return presentDelivery(await findOwned(userId, params.id));
  }),

  handle(testWebhookEndpoint, async ({ params, userId }) => {
    const assistant = await AssistantModel.findOwned(userId, params.id);
    if (!assistant) throw new ApiError('not_found', 'No assistant of yours has this id.');
    return presentDelivery(await testWebhook(deps, assistant));
  }),
];
