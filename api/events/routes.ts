import { streamEvents } from '../../contract/service/events.ts';
import type { ApiDeps } from '../deps.ts';
import { isStillValid, limitKeyOf } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { Reply } from '../reply.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // nginx would buffer events.
  'X-Accel-Buffering': 'no',
};

export const eventRoutes = (deps: ApiDeps) => [
  handle(streamEvents, async ({ headers, isHead, ...caller }) => {
    const isResumed = headers['last-event-id'] !== undefined;
    const { userId } = caller;
    const options = { userId, key: limitKeyOf(caller), isResumed, isStillValid: () => isStillValid(caller) };
    return new Reply(isHead ? undefined : await deps.events.open(caller.workspaceId, options), { headers: HEADERS });
  }),
];
