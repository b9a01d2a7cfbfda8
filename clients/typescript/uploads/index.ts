/** The key under which a file is submitted: submitted again, it is the same request and is paid for once. */

/** A recording may be hundreds of megabytes: it is hashed piece by piece, in flat memory. */
const PIECE_BYTES = 8 * 1_024 * 1_024;

/** Returns the SHA-256 of the assistant's id and of the hashes of the file's pieces, in hexadecimal. */
export async function makeUploadKey(file: Blob, assistantId: string): Promise<string> {
  const hashes: Uint8Array<ArrayBuffer>[] = [new TextEncoder().encode(assistantId)];
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    hashes.push(await hash(await file.slice(from, from + PIECE_BYTES).arrayBuffer()));
  }
  return toHex(await hash(await new Blob(hashes).arrayBuffer()));
}

/** Returns metadata that holds the key: sessions are found by it longer than the service remembers the key. */
export const uploadMetadata = (key: string) => ({ upload_key: key });

const hash = async (bytes: ArrayBuffer) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
