/** Submits the URL of a recording, which a worker fetches. */
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import type { submitVoiceRequest } from '../../contract/sessions/requests.ts';
import { newAudioSource } from '../../db/models/audio-source.ts';
import { isBlocked } from '../assistants/check-settings.ts';
import { findAssistantOfType } from '../assistants/find-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../errors.ts';
import type { SessionRun } from '../sessions/run-session.ts';
import { claimSession, findReplayed } from './idempotency.ts';
import { newSession, replayOf, requireStorageQuota, storeAndStart } from './store-and-start.ts';
import type { Sender } from './store-and-start.ts';

type Deps = Pick<ApiDeps, 'audioGuard' | 'config' | 'secrets' | 'temporal'>;

type UrlInput = NonNullable<EndpointInput<typeof submitVoiceRequest>['body']>;

/** Checks a request, and prepares a session that fetches its recording. */
export async function submitUrl(
  deps: Deps,
  { workspaceId, idempotencyKey, created_by }: Sender,
  body: UrlInput,
): Promise<SessionRun> {
  const { assistant_id, audio_url, file_name = 'recording', metadata = {} } = body;
  const payload = ['voice-url', assistant_id, audio_url, metadata];
  const replayed = await findReplayed(workspaceId, idempotencyKey, payload);
  if (replayed) return replayOf(deps, replayed);
  const assistant = await findAssistantOfType(workspaceId, assistant_id, 'voice');
  await requireStorageQuota(deps, workspaceId, { added: 1 });
  await requireAllowedUrl(deps, audio_url);
  const claim = await claimSession(workspaceId, idempotencyKey, payload);
  const { sessionId: id } = claim;
  const sealed = sealUrl(deps, id, body);
  const fields = { id, audio_source: newAudioSource(audio_url, file_name), metadata, created_by };
  const row = { ...newSession(deps, assistant, fields), status: 'fetching' } as const;
  return { ...claim, start: (isAwaited) => storeAndStart(deps, row, isAwaited, sealed) };
}

/** Throws `validation_failed` if the URL leads to an address that is not allowed. */
export async function requireAllowedUrl({ audioGuard }: Pick<Deps, 'audioGuard'>, url: string): Promise<void> {
  const message = 'leads to a private or reserved address';
  if (await isBlocked(audioGuard, url)) throw invalid({ path: 'audio_url', message });
}

/** Returns the URL and its headers, encrypted for one session. */
export const sealUrl = (
  { secrets }: Pick<Deps, 'secrets'>,
  sessionId: string,
  { audio_url: url, audio_headers: headers = {} }: Pick<UrlInput, 'audio_url' | 'audio_headers'>,
) => secrets.seal(JSON.stringify({ url, headers }), sessionId);
