import { submitTextRequest, submitVoiceRequest } from '../../contract/requests.ts';
import { claimSession, findReplayed } from '../commands/claim-session.ts';
import { findAssistantOfType } from '../lookups/find-assistant.ts';
import { runSession } from '../answers/run-session.ts';
import { replayOf } from '../commands/store-and-start.ts';
import { submitText } from '../commands/submit-text.ts';
import { receiveVoice, submitVoice } from '../commands/submit-voice.ts';
import type { ApiDeps } from '../deps.ts';
import { handle } from '../http/handle.ts';

export const requestRoutes = (deps: ApiDeps) => [
  handle(submitTextRequest, async ({ body, userId, headers, signal, endTurn }) => {
    const { assistant_id, conversation, metadata = {} } = body;
    const { prefer, 'idempotency-key': key } = headers;
    const payload = ['text', assistant_id, conversation, metadata];
    const replayed = await findReplayed(userId, key, payload);
    if (replayed) return runSession(deps, replayOf(deps, replayed), { prefer, signal, endTurn });
    const assistant = await findAssistantOfType(userId, assistant_id, 'text');
    const claim = await claimSession(userId, key, payload);
    const { sessionId } = claim;
    const start = () => submitText(deps, { sessionId, assistant, conversation, metadata });
    return runSession(deps, { ...claim, start }, { prefer, signal, endTurn });
  }),

  handle(submitVoiceRequest, async ({ readForm, userId, headers, signal, endTurn }) => {
    const { prefer, 'idempotency-key': idempotencyKey } = headers;
    // The wait is for the result: a long upload does not use it up.
    const submission = await receiveVoice(deps, { readForm, userId, idempotencyKey });
    if ('replayed' in submission)
      return runSession(deps, replayOf(deps, submission.replayed), { prefer, signal, endTurn });
    const start = () => submitVoice(deps, submission);
    return runSession(deps, { ...submission, start }, { prefer, signal, endTurn });
  }),
];
