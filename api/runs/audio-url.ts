/** Checks and encrypts the URL of a recording. */
import type { submitVoiceRequest } from '../../contract/sessions/requests.ts';
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import { isBlocked, privateAddress } from '../assistants/check-settings.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt } from '../errors.ts';

type AudioUrlDeps = Pick<ApiDeps, 'audioGuard' | 'secrets'>;

type UrlInput = NonNullable<EndpointInput<typeof submitVoiceRequest>['body']>;

/** Throws `validation_failed` if the URL leads to an address that is not allowed. */
export async function requireAllowedUrl({ audioGuard }: Pick<AudioUrlDeps, 'audioGuard'>, url: string): Promise<void> {
  if (await isBlocked(audioGuard, url)) throw invalidAt('audio_url', ...privateAddress(url, 'AUDIO_URL_ALLOW_HOSTS'));
}

/** Returns the URL and its headers, encrypted for one session. */
export const sealUrl = (
  { secrets }: Pick<AudioUrlDeps, 'secrets'>,
  sessionId: string,
  { audio_url: url, audio_headers: headers = {} }: Pick<UrlInput, 'audio_url' | 'audio_headers'>,
) => secrets.seal(JSON.stringify({ url, headers }), sessionId);
