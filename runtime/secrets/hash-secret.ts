import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a token, code or cookie that is stored. They have 120 random bits or more, so a slower hash is not needed. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
