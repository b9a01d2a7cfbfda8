import { submitTextRequest, submitVoiceRequest } from '../../contract/sessions/requests.ts';
import type { ApiDeps } from '../deps.ts';
import { findAssistantOfType } from '../assistants/find-assistant.ts';
import { creatorOf, hasScope, payerOf, type Caller } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { runSession } from '../runs/run-session.ts';
import { claimSession, findReplayed } from './idempotency.ts';
import { redactText } from './redact-text.ts';
import { newSession, replayOf, storeAndStart } from '../runs/store-and-start.ts';
import { submitUrl } from './submit-url.ts';
import { submitVoice } from './submit-voice.ts';

/** Returns who created the sessions that the caller may read, if that is only the caller. */
const ownerOf = (caller: Pick<Caller, 'key' | 'role' | 'userId'>) =>
  hasScope(caller, 'sessions:read') ? undefined : creatorOf(caller);

export const requestRoutes = (deps: ApiDeps) => [
  handle(submitTextRequest, async ({ body, workspaceId, headers, signal, ...caller }) => {
    const { assistant_id, conversation, language, metadata = {}, occurred_at } = body;
    const { prefer, 'idempotency-key': idempotencyKey } = headers;
    const sender = { workspaceId, idempotencyKey, ownedBy: ownerOf(caller) };
    const payload = ['text', assistant_id, conversation, metadata, language, occurred_at && { occurred_at }];
    const replayed = await findReplayed(sender, payload);
    if (replayed) {
      const shown = replayed.redaction === null ? { conversation } : {};
      return runSession(deps, replayOf(deps, replayed), { prefer, signal, ...shown });
    }
    const current = await findAssistantOfType(workspaceId, assistant_id, 'text');
    // Kept with the session, so a reanalysis redacts in the same language.
    const assistant = language === undefined ? current : current.$clone().$set({ stt_language: language });
    const claim = await claimSession(sender, payload);
    const { sessionId } = claim;
    const submitted = { owner: payerOf({ workspaceId, ...caller }), sessionId, conversation, signal };
    const { sealed, ...content } = await redactText(deps, assistant, submitted);
    const fields = { id: sessionId, ...content, metadata, occurred_at, created_by: creatorOf(caller) };
    const row = newSession(deps, assistant, fields);
    const start = (isAwaited: boolean) => storeAndStart(deps, row, isAwaited, sealed);
    return runSession(deps, { ...claim, start }, { prefer, signal, conversation: content.conversation });
  }),

  handle(submitVoiceRequest, async ({ body, readForm, headers, signal, ...caller }) => {
    const { prefer, 'idempotency-key': idempotencyKey } = headers;
    const { workspaceId } = caller;
    const ownedBy = ownerOf(caller);
    const sender = { workspaceId, payer: payerOf(caller), idempotencyKey, ownedBy, created_by: creatorOf(caller) };
    // The upload does not count towards the wait for the result.
    const run = body ? await submitUrl(deps, sender, body) : await submitVoice(deps, sender, readForm);
    return runSession(deps, run, { prefer, signal });
  }),
];
