/** The filters of the list of sessions, as its URL names them. */
import { ASSISTANT_TYPES, DELIVERY_STATUSES, SESSION_STATUSES } from '../../../../contract/constants.ts';
import { clean, oneOf, textOf } from '../../search/parse.ts';
import { rangeOf } from '../lists/range.ts';

export const parseSessionsSearch = (raw: Record<string, unknown>) =>
  clean({
    q: textOf(raw, 'q'),
    status: oneOf(raw, 'status', SESSION_STATUSES),
    type: oneOf(raw, 'type', ASSISTANT_TYPES),
    assistant_id: textOf(raw, 'assistant_id'),
    delivery_status: oneOf(raw, 'delivery_status', DELIVERY_STATUSES),
    source_session_id: textOf(raw, 'source_session_id'),
    ...rangeOf(raw),
  });

export type SessionsSearch = ReturnType<typeof parseSessionsSearch>;
