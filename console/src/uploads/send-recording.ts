/** One upload. `fetch` does not tell how far it is, so this is an XMLHttpRequest. */
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

/** Resolves when the service has taken the recording; rejects with the API's problem, or an Error without an answer. */
export function sendRecording({ file, assistantId, key, signal, onProgress }: Recording): Promise<SentRecording> {
  const form = new FormData();
  form.append('assistant_id', assistantId);
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
    request.onload = () => {
      if (request.status >= 300 || request.response === null) {
        // The client of the other calls throws the problem itself too.
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        reject(request.response ?? new TypeError('no answer'));
        return;
      }
      resolve({
        session: request.response as Session,
        isReplayed: request.getResponseHeader('Idempotent-Replayed') === 'true',
      });
    };
    request.send(form);
  });
}
