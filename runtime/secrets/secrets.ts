/** Encryption of secrets at rest: AES-256-GCM, bound to the row that holds them. docs/decisions.md, "Secrets at rest". */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'v2';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Hexadecimal digits of a key's ID. */
const KEY_ID_LENGTH = 8;

export interface SecretBox {
  /** Encrypts with the first key, bound to the row: a value copied to another row can't be decrypted. */
  seal(plain: string, rowId: string): string;
  /** Decrypts. Returns undefined if no key matches, or the row or a byte differs. */
  open(sealed: string, rowId: string): string | undefined;
  /** IDs of the keys, which reveal nothing about them. */
  keyIds: string[];
  /** Prefix of all values encrypted with the first key. */
  sealedPrefix: string;
}

/** @param ring at least one key of 32 bytes: the first one encrypts, all decrypt. */
export function createSecretBox(ring: readonly Buffer[]): SecretBox {
  const keys = new Map(ring.map((key) => [keyIdOf(key), key]));
  const [first] = keys;
  if (!first) throw new Error('at least one key is required');
  const [keyId, key] = first;
  const sealedPrefix = `${VERSION}:${keyId}:`;
  return {
    keyIds: [...keys.keys()],
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

/** Returns the ID of a key, which reveals nothing about the key. */
function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, KEY_ID_LENGTH);
}

function decrypt(key: Buffer, bytes: Buffer, rowId: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(rowId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    // The value belongs to another row or was changed.
    return undefined;
  }
}
