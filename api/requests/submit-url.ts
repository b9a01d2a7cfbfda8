/** Submits the URL of a recording, which a worker fetches. */
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import type { submitVoiceRequest } from '../../contract/sessions/requests.ts';
import { withoutSignature } from '../../contract/sessions/signed-url.ts';
import { newAudioSource } from '../../db/models/audio-source.ts';
import { findAssistantOfType } from '../assistants/find-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { requireAllowedUrl, sealUrl } from '../runs/audio-url.ts';
import type { SessionRun } from '../runs/run-session.ts';
import { claimSession, findReplayed } from './idempotency.ts';
import { newSession, replayOf, requireStorageQuota, storeAndStart, type Sender } from '../runs/store-and-start.ts';

type UrlDeps = Pick<ApiDeps, 'audioGuard' | 'config' | 'secrets' | 'temporal'>;

type UrlInput = NonNullable<EndpointInput<typeof submitVoiceRequest>['body']>;

/** Checks a request, and prepares a session that fetches its recording. */
export async function submitUrl(deps: UrlDeps, sender: Sender, body: UrlInput): Promise<SessionRun> {
  const { assistant_id, audio_url, file_name = 'recording', metadata = {}, occurred_at } = body;
  const { workspaceId, created_by, ownedBy } = sender;
  // A link without its signature proves nothing, so it opens nothing for callers that read only own sessions.
  const link = ownedBy === undefined ? withoutSignature(audio_url) : audio_url;
  const payload = ['voice-url', assistant_id, link, metadata, occurred_at];
  const replayed = await findReplayed(sender, payload);
  if (replayed) return replayOf(deps, replayed);
  const assistant = await findAssistantOfType(workspaceId, assistant_id, 'voice');
  await requireStorageQuota(deps, workspaceId, 1);
  await requireAllowedUrl(deps, audio_url);
  const claim = await claimSession(sender, payload);
  const { sessionId: id } = claim;
  const sealed = sealUrl(deps, id, body);
  const fields = { id, audio_source: newAudioSource(audio_url, file_name), metadata, occurred_at, created_by };
  const row = { ...newSession(deps, assistant, fields), status: 'fetching' } as const;
  return { ...claim, start: (isAwaited) => storeAndStart(deps, row, isAwaited, sealed) };
}
