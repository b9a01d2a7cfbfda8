import { typeid } from 'typeid-js';
import { submitTextRequest, submitVoiceRequest } from '../../contract/requests.ts';
import { answerWithSession } from '../commands/answer-with-session.ts';
import { submitText } from '../commands/submit-text.ts';
import { receiveVoice, submitVoice } from '../commands/submit-voice.ts';
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

  handle(submitVoiceRequest, async ({ request, userId, headers, signal }) => {
    const { waitMs, applied } = readPreference(headers.prefer, deps.config.http.waitMs);
    const sessionId = typeid('sess').toString();
    const submission = await receiveVoice(deps, { request, sessionId, userId });
    // The wait is for the result: a long upload does not use it up.
    const ended = waitMs > 0 ? deps.waits.wait(sessionId, waitMs, signal) : undefined;
    await submitVoice(deps, submission);
    await ended;
    return answerWithSession(sessionId, applied);
  }),
];
