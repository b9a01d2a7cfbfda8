import { getDelivery, listSessionDeliveries } from '../../contract/deliveries.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { ApiError } from '../http/api-error.ts';
import { handle } from '../http/handle.ts';
import { presentDelivery } from '../presenters/delivery.ts';

export const deliveryRoutes = () => [
  handle(listSessionDeliveries, async ({ params, userId }) => {
    const session = await SessionModel.findOwned(userId, params.id);
    if (!session) throw new ApiError('not_found', 'No session of yours has this id.');
    const rows = await DeliveryModel.findOfSession(userId, session.id);
    return { data: rows.map(presentDelivery), next_cursor: null };
  }),

  handle(getDelivery, async ({ params, userId }) => {
    const row = await DeliveryModel.findOwned(userId, params.id);
    if (!row) throw new ApiError('not_found', 'No delivery of yours has this id.');
    return presentDelivery(row);
  }),
];
