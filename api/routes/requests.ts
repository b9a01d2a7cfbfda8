import { typeid } from 'typeid-js';
import { submitTextRequest } from '../../contract/requests.ts';
import { answerWithSession } from '../commands/answer-with-session.ts';
import { submitText } from '../commands/submit-text.ts';
import type { ApiDeps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { readPreference } from '../http/prefer.ts';

export const requestRoutes = (deps: ApiDeps) => [
  handle(submitTextRequest, async ({ body, userId, headers, signal }) => {
    const { waitMs, applied } = readPreference(headers.prefer, deps.config.http.waitMs);
    const sessionId = typeid('sess').toString();
    const ended = waitMs > 0 ? deps.waits.wait(sessionId, waitMs, signal) : undefined;
    const { assistant_id, conversation, metadata = {} } = body;
    await submitText(deps, { sessionId, userId, assistant_id, conversation, metadata });
    await ended;
    return answerWithSession(sessionId, applied);
  }),
];
