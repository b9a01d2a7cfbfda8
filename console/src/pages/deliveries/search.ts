/** The filters of the list of deliveries, as its URL names them. */
import { DELIVERY_FAILURES, DELIVERY_STATUSES, WEBHOOK_EVENTS } from '../../../../contract/constants.ts';
import { clean, oneOf, textOf } from '../../search/parse.ts';
import { rangeOf } from '../lists/range.ts';

export const parseDeliveriesSearch = (raw: Record<string, unknown>) =>
  clean({
    status: oneOf(raw, 'status', DELIVERY_STATUSES),
    event: oneOf(raw, 'event', WEBHOOK_EVENTS),
    failure: oneOf(raw, 'failure', DELIVERY_FAILURES),
    assistant_id: textOf(raw, 'assistant_id'),
    session_id: textOf(raw, 'session_id'),
    redelivery_id: textOf(raw, 'redelivery_id'),
    ...rangeOf(raw),
  });

export type DeliveriesSearch = ReturnType<typeof parseDeliveriesSearch>;
