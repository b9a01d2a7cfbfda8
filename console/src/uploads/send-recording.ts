/** Uploads one recording. `fetch` does not report upload progress, so this uses XMLHttpRequest. */
import { uploadMetadata } from 'conversation-analysis-client/uploads';
import { getSession, type Problem, type Session } from 'conversation-analysis-client';
import { reportUnreachable } from '../server/connection.ts';
import { isNotFound, translate } from '../server/problem.ts';
import { apiBase } from '../server/workspace.ts';

interface Recording {
  file: File;
  assistantId: string;
  metadata: Record<string, string>;
  /** The idempotency key. */
  key: string;
  signal: AbortSignal;
  /** Called with the share that was sent, from 0 to 1. */
  onProgress: (share: number) => void;
}

const TOO_MANY = 429;
const DEFAULT_WAIT_S = 5;
/** How often and how long to wait until the service has stored a session. */
const STORING_TRIES = 20;
const STORING_MS = 500;

/**
 * Returns the session of the accepted recording. `isReplayed` means that the same recording was submitted before and is not
 * charged again. If the rate limit is reached, as with a large folder, waits and retries. Rejects with the API's problem, or
 * with an Error if there is no response.
 */
export async function sendRecording(recording: Recording): Promise<{ session: Session; isReplayed: boolean }> {
  for (;;) {
    const request = await sendOnce(recording);
    const { status, response: body } = request as { status: number; response: unknown };
    const { code, session_id: id } = (body ?? {}) as Partial<Problem>;
    // The same recording was submitted under another name. The key covers the rest of the metadata.
    if (code === 'idempotency_key_reused' && id !== undefined) {
      return { session: await readStored(id, recording.signal), isReplayed: true };
    }
    if (status !== TOO_MANY) {
      // Throws the problem itself, like the API client.
      if (status >= 300 || body === null) throw body === null ? new TypeError('no response') : await translate(body);
      return { session: body as Session, isReplayed: request.getResponseHeader('Idempotent-Replayed') === 'true' };
    }
    recording.onProgress(0);
    const waitMs = Number(request.getResponseHeader('Retry-After') ?? DEFAULT_WAIT_S) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    recording.signal.throwIfAborted();
  }
}

/** Returns the session. The service keeps the idempotency key shortly before it stores the session. */
async function readStored(id: string, signal: AbortSignal): Promise<Session> {
  for (let left = STORING_TRIES; ; left -= 1) {
    try {
      return (await getSession({ path: { id }, signal, throwOnError: true })).data;
    } catch (error) {
      if (left === 0 || !isNotFound(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, STORING_MS));
    }
  }
}

function sendOnce({ file, assistantId, metadata, key, signal, onProgress }: Recording): Promise<XMLHttpRequest> {
  const form = new FormData();
  form.append('assistant_id', assistantId);
  form.append('metadata', JSON.stringify({ ...metadata, ...uploadMetadata(key) }));
  form.append('audio_file', file, file.name);
  const request = new XMLHttpRequest();
  request.open('POST', `${apiBase()}/v1/requests/voice`);
  request.responseType = 'json';
  request.setRequestHeader('Prefer', 'respond-async');
  request.setRequestHeader('Idempotency-Key', key);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onabort = () => reject(new DOMException('canceled', 'AbortError'));
    request.onerror = () => {
      reportUnreachable();
      reject(new TypeError('no response'));
    };
    request.onload = () => resolve(request);
    request.send(form);
  });
}
