/** Encryption of secrets at rest: AES-256-GCM, bound to the row that holds them. docs/decisions.md, "Secrets at rest". */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBox {
  /** `rowId` is authenticated: a ciphertext copied to another row does not open. */
  seal(plain: string, rowId: string): string;
  /** Throws if the key, the row or a byte differs. */
  open(sealed: string, rowId: string): string;
}

/** @param key 32 bytes. */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(plain, rowId) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(rowId));
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}:${sealed.toString('base64')}`;
    },
    open(sealed, rowId) {
      const [version, data] = sealed.split(':');
      if (version !== VERSION || data === undefined) throw new Error('unknown form of a sealed secret');
      const bytes = Buffer.from(data, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(rowId))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
