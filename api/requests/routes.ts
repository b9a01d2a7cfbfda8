import { submitTextRequest, submitVoiceRequest } from '../../contract/requests.ts';
import { findAssistantOfType } from '../assistants/find-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { creatorOf } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { runSession } from '../sessions/run-session.ts';
import { claimSession, findReplayed } from './idempotency.ts';
import { newSession, replayOf, storeAndStart } from './store-and-start.ts';
import { receiveUrl, submitUrl } from './submit-url.ts';
import { receiveVoice, submitVoice } from './submit-voice.ts';

export const requestRoutes = (deps: ApiDeps) => [
  handle(submitTextRequest, async ({ body, workspaceId, headers, signal, ...caller }) => {
    const { assistant_id, conversation, metadata = {} } = body;
    const { prefer, 'idempotency-key': key } = headers;
    const payload = ['text', assistant_id, conversation, metadata];
    const request = { prefer, signal, conversation };
    const replayed = await findReplayed(workspaceId, key, payload);
    if (replayed) return runSession(deps, replayOf(deps, replayed), request);
    const assistant = await findAssistantOfType(workspaceId, assistant_id, 'text');
    const claim = await claimSession(workspaceId, key, payload);
    const row = newSession(deps, assistant, {
      ...{ id: claim.sessionId, conversation, metadata, created_by: creatorOf(caller) },
    });
    return runSession(deps, { ...claim, start: (isAwaited) => storeAndStart(deps, row, isAwaited) }, request);
  }),

  handle(submitVoiceRequest, async ({ body, readForm, workspaceId, headers, signal, ...caller }) => {
    const { prefer, 'idempotency-key': idempotencyKey } = headers;
    const sender = { workspaceId, idempotencyKey, created_by: creatorOf(caller) };
    // The upload does not count towards the wait for the result.
    const submission = body
      ? await receiveUrl(deps, { body, ...sender })
      : await receiveVoice(deps, { readForm, ...sender });
    if ('replayed' in submission) return runSession(deps, replayOf(deps, submission.replayed), { prefer, signal });
    const start = (isAwaited: boolean) =>
      'sealedUrl' in submission ? submitUrl(deps, submission, isAwaited) : submitVoice(deps, submission, isAwaited);
    return runSession(deps, { ...submission, start }, { prefer, signal });
  }),
];
