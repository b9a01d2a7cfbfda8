/** Computes idempotency keys from files. If the same file is submitted again, the API returns the same session. */

export { decodeText } from './decode-text.ts';
export { FormatError } from './format-error.ts';
export type { FormatProblem } from './format-error.ts';
export { parseConversation, readConversation } from './read-conversation.ts';
export type { ConversationFormat } from './read-conversation.ts';

/** Files are hashed in pieces, because recordings can be hundreds of megabytes. */
const PIECE_BYTES = 8 * 1_024 * 1_024;

/** Returns the SHA-256 of the assistant's ID and of the hashes of the file's pieces, in hexadecimal. */
export async function makeUploadKey(file: Blob, assistantId: string): Promise<string> {
  const hashes: Uint8Array<ArrayBuffer>[] = [new TextEncoder().encode(assistantId)];
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    hashes.push(await hash(await file.slice(from, from + PIECE_BYTES).arrayBuffer()));
  }
  return toHex(await hash(await new Blob(hashes).arrayBuffer()));
}

/** Returns metadata with the key, to find the session by the key after the idempotency key has expired. */
export const uploadMetadata = (key: string) => ({ upload_key: key });

const hash = async (bytes: ArrayBuffer) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
