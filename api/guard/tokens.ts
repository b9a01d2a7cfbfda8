/** The two kinds of bearer token: login tokens (JWT) and API tokens (`cas_…`). docs/decisions.md, "Tokens". */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import jwt from 'jsonwebtoken';
import { hashSecret } from '../../runtime/secrets/hash-secret.ts';

const PINNED = { issuer: 'conversation-analysis-service', audience: 'conversation-analysis-service' };

interface LoginClaims {
  user_id: string;
  /** Identifies the row of the login: 256 random bits. */
  jti: string;
}

export interface LoginTokens {
  issue(claims: LoginClaims, expiresAt: Date): string;
  /** Returns undefined for expired tokens and tokens that this service did not sign. */
  verify(token: string): LoginClaims | undefined;
  /** Returns whether this service signed the token, also if it has expired. */
  wasIssued(token: string): boolean;
}

/**
 * Signs with the first secret. All secrets verify.
 * @param secrets of at least 32 bytes. The config checks the length; the library would accept shorter ones.
 */
export function createLoginTokens(secrets: readonly string[]): LoginTokens {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('createLoginTokens needs at least one secret');
  return {
    issue({ user_id, jti }, expiresAt) {
      const exp = expiresAt.getTime() / 1_000;
      return jwt.sign({ sub: user_id, jti, exp }, newest, { ...PINNED, algorithm: 'HS256' });
    },
    verify(token) {
      for (const secret of secrets) {
        const claims = verifyWith(secret, token);
        if (claims) return claims;
      }
      return undefined;
    },
    wasIssued: (token) => secrets.some((secret) => verifyWith(secret, token, { ignoreExpiration: true }) !== undefined),
  };
}

function verifyWith(secret: string, token: string, options: jwt.VerifyOptions = {}): LoginClaims | undefined {
  try {
    const pinned = { ...options, ...PINNED, algorithms: ['HS256' as const] };
    const { sub, jti, exp } = jwt.verify(token, secret, pinned) as jwt.JwtPayload;
    // For the library, a token without `exp` never expires.
    const isOurs = typeof sub === 'string' && typeof jti === 'string' && typeof exp === 'number';
    return isOurs ? { user_id: sub, jti } : undefined;
  } catch {
    return undefined;
  }
}

const API_TOKEN = /^cas_[0-9a-z]{32}[0-9a-z]{7}$/;

/** Returns a new token: `cas_`, 20 random bytes and a CRC-32, in Crockford's base32 of 5 bits a character. */
export function createApiToken(): { token: string; prefix: string; hash: Buffer } {
  const body = base32(BigInt(`0x${randomBytes(20).toString('hex')}`), 32);
  const token = `cas_${body}${checksum(body)}`;
  return { token, prefix: token.slice(0, 8), hash: hashSecret(token) };
}

/** Returns whether the text has the form of an API token. The checksum spares secret scanners and this service a lookup. */
export function isApiToken(token: string): boolean {
  return API_TOKEN.test(token) && checksum(token.slice(4, 36)) === token.slice(36);
}

const checksum = (body: string) => base32(BigInt(crc32(body)), 7);

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the lowest bits in Crockford's base32, in lowercase. */
export function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = DIGITS.charAt(Number(rest & 31n)) + text;
  return text;
}
