/** One upload. `fetch` does not tell how far it is, so this is an XMLHttpRequest. */
import { uploadMetadata } from '../../../clients/typescript/uploads/index.ts';
import type { Session } from '../../../clients/typescript/src/index.ts';
import { noteAway } from '../server/connection.ts';

export interface SentRecording {
  session: Session;
  /** The same recording was submitted before: nothing is paid for again. */
  isReplayed: boolean;
}

interface Recording {
  file: File;
  assistantId: string;
  key: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

interface Answer {
  status: number;
  /** The session, the API's problem, or null if it was neither. */
  body: unknown;
  header(name: string): string | null;
}

const TOO_MANY = 429;
const DEFAULT_WAIT_S = 5;

/**
 * Resolves when the service has taken the recording; rejects with the API's problem, or an Error without an answer. A
 * folder may hold more than the service takes within a minute, so a call that it asks to put off is sent again then.
 */
export async function sendRecording(recording: Recording): Promise<SentRecording> {
  for (;;) {
    const { status, body, header } = await sendOnce(recording);
    if (status !== TOO_MANY) {
      // The client of the other calls throws the problem itself too.
      // oxlint-disable-next-line typescript/only-throw-error
      if (status >= 300 || body === null) throw body ?? new TypeError('no answer');
      return { session: body as Session, isReplayed: header('Idempotent-Replayed') === 'true' };
    }
    recording.onProgress(0);
    await sleep(Number(header('Retry-After') ?? DEFAULT_WAIT_S) * 1_000, recording.signal);
  }
}

function sendOnce({ file, assistantId, key, signal, onProgress }: Recording): Promise<Answer> {
  const form = new FormData();
  form.append('assistant_id', assistantId);
  form.append('metadata', JSON.stringify(uploadMetadata(key)));
  form.append('audio_file', file, file.name);
  const request = new XMLHttpRequest();
  request.open('POST', '/api/v1/requests/voice');
  request.responseType = 'json';
  request.setRequestHeader('Prefer', 'respond-async');
  request.setRequestHeader('Idempotency-Key', key);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'));
    request.onerror = () => {
      noteAway();
      reject(new TypeError('no answer'));
    };
    const header = (name: string) => request.getResponseHeader(name);
    request.onload = () => resolve({ status: request.status, body: request.response, header });
    request.send(form);
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('stopped', 'AbortError'));
    });
  });
}
