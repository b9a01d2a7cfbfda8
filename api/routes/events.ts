import { streamEvents } from '../../contract/events.ts';
import type { ApiDeps } from '../deps.ts';
import { isStillValid } from '../http/authenticate.ts';
import { BytesReply, handle } from '../http/handle.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // nginx would keep events back until they fill a buffer.
  'X-Accel-Buffering': 'no',
};

export const eventRoutes = (deps: ApiDeps) => [
  handle(streamEvents, async ({ userId, login, key, headers, isHead }) => {
    const isResumed = headers['last-event-id'] !== undefined;
    const open = () => deps.events.open(userId, { isResumed, isStillValid: () => isStillValid({ login, key }) });
    return new BytesReply(isHead ? undefined : open(), { status: 200, headers: HEADERS });
  }),
];
