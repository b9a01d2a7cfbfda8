/** Submits the URL of a recording, which a worker fetches. */
import type { EndpointInput } from '../../contract/endpoint.ts';
import type { submitVoiceRequest } from '../../contract/requests.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { newAudioSource } from '../../db/models/audio-source.ts';
import type { AudioSource } from '../../db/models/audio-source.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { isBlocked } from '../assistants/check-settings.ts';
import { findAssistantOfType } from '../assistants/find-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../errors.ts';
import { claimSession, findReplayed } from './idempotency.ts';
import type { SessionClaim } from './idempotency.ts';
import { requireStorageQuota } from './storage-limits.ts';
import { newSession, storeAndStart } from './store-and-start.ts';

type Deps = Pick<ApiDeps, 'audioGuard' | 'config' | 'secrets' | 'temporal'>;

export interface UrlSubmission extends SessionClaim {
  assistant: AssistantModel;
  audio_source: AudioSource;
  sealedUrl: string;
  metadata: Record<string, string>;
  created_by: string;
}

interface UrlRequest {
  body: NonNullable<EndpointInput<typeof submitVoiceRequest>['body']>;
  workspaceId: string;
  idempotencyKey: string | undefined;
  created_by: string;
}

/** Checks the request and seals its URL. */
export async function receiveUrl(
  deps: Deps,
  { body, workspaceId, idempotencyKey, created_by }: UrlRequest,
): Promise<UrlSubmission | { replayed: SessionModel }> {
  const { assistant_id, audio_url, file_name = 'recording', metadata = {} } = body;
  const payload = ['voice-url', assistant_id, audio_url, metadata];
  const replayed = await findReplayed(workspaceId, idempotencyKey, payload);
  if (replayed) return { replayed };
  const assistant = await findAssistantOfType(workspaceId, assistant_id, 'voice');
  await requireStorageQuota(deps, workspaceId, { added: 1 });
  await requireAllowedUrl(deps, audio_url);
  const claim = await claimSession(workspaceId, idempotencyKey, payload);
  const sealedUrl = sealUrl(deps, claim.sessionId, body);
  return { ...claim, assistant, audio_source: newAudioSource(audio_url, file_name), sealedUrl, metadata, created_by };
}

/** Stores and starts the session. */
export async function submitUrl(deps: Deps, submission: UrlSubmission, isAwaited: boolean): Promise<void> {
  const { sessionId: id, assistant, audio_source, sealedUrl, metadata, created_by } = submission;
  const status = 'fetching';
  const row = { ...newSession(deps, assistant, { id, audio_source, metadata, created_by }), status } as const;
  await storeAndStart(deps, row, isAwaited, sealedUrl);
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
  {
    audio_url: url,
    audio_headers: headers = {},
  }: { audio_url: string; audio_headers?: Record<string, string> | undefined },
) => secrets.seal(JSON.stringify({ url, headers }), sessionId);
