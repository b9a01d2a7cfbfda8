import { streamEvents } from '../../contract/events.ts';
import type { ApiDeps } from '../deps.ts';
import { isStillValid } from '../guard/authenticate.ts';
import { handle, Reply } from '../http/handle.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // nginx would buffer events.
  'X-Accel-Buffering': 'no',
};

export const eventRoutes = (deps: ApiDeps) => [
  handle(streamEvents, async ({ workspaceId, userId, login, key, headers, isHead }) => {
    const isResumed = headers['last-event-id'] !== undefined;
    const options = { userId, isResumed, isStillValid: () => isStillValid({ login, key }) };
    return new Reply(isHead ? undefined : deps.events.open(workspaceId, options), { headers: HEADERS });
  }),
];
