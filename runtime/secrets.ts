/** Encryption of secrets at rest: AES-256-GCM, bound to the row that holds them. docs/decisions.md, "Secrets at rest". */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'v2';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Hexadecimal digits of a key's id: enough to tell the few keys of a ring apart. */
const KEY_ID_LENGTH = 8;

export interface SecretBox {
  /** Seals with the first key. `rowId` is authenticated: a value copied to another row does not open. */
  seal(plain: string, rowId: string): string;
  /** Returns undefined if no key of the ring fits, or the row or a byte differs. */
  open(sealed: string, rowId: string): string | undefined;
  /** The beginning of every value that the first key sealed. */
  sealedPrefix: string;
}

/** @param ring keys of 32 bytes, at least one: the first one seals, all of them open. */
export function createSecretBox(ring: readonly Buffer[]): SecretBox {
  const keys = new Map(ring.map((key) => [keyIdOf(key), key]));
  const [first] = keys;
  if (!first) throw new Error('a ring of keys must not be empty');
  const [keyId, key] = first;
  const sealedPrefix = `${VERSION}:${keyId}:`;
  return {
    sealedPrefix,
    seal(plain, rowId) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(rowId));
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return sealedPrefix + sealed.toString('base64');
    },
    open(sealed, rowId) {
      const [version, sealedBy = '', data = ''] = sealed.split(':');
      const opener = version === VERSION ? keys.get(sealedBy) : undefined;
      return opener && decrypt(opener, Buffer.from(data, 'base64'), rowId);
    },
  };
}

/** Returns the id by which what a key made names it. It tells nothing of the key. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, KEY_ID_LENGTH);
}

function decrypt(key: Buffer, bytes: Buffer, rowId: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(rowId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    // It is not of this row, or was changed.
    return undefined;
  }
}
