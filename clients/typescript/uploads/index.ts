/** Idempotency keys for files: submitting the same file again is the same request. */

export { FormatError } from './format-error.ts';
export { parseConversation } from './parse-conversation.ts';

/** Recordings can be hundreds of megabytes, so they are hashed in pieces. */
const PIECE_BYTES = 8 * 1_024 * 1_024;

/** Returns the SHA-256 of the assistant's ID and of the hashes of the file's pieces, in hexadecimal. */
export async function makeUploadKey(file: Blob, assistantId: string): Promise<string> {
  const hashes: Uint8Array<ArrayBuffer>[] = [new TextEncoder().encode(assistantId)];
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    hashes.push(await hash(await file.slice(from, from + PIECE_BYTES).arrayBuffer()));
  }
  return toHex(await hash(await new Blob(hashes).arrayBuffer()));
}

/** Returns metadata with the key, to find the session by it after the service has forgotten the key. */
export const uploadMetadata = (key: string) => ({ upload_key: key });

const hash = async (bytes: ArrayBuffer) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
