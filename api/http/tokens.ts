/** The two kinds of bearer token: login tokens (JWT) and API tokens (`cas_…`). docs/decisions.md, "Tokens". */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import jwt from 'jsonwebtoken';
import { keyIdOf } from '../../runtime/secrets.ts';

const PINNED = { issuer: 'conversation-analysis-service', audience: 'conversation-analysis-service' };

export interface LoginClaims {
  user_id: string;
  /** Names the login's row: 256 random bits. */
  jti: string;
}

export interface LoginTokens {
  issue(claims: LoginClaims, expiresAt: Date): string;
  /** Returns undefined for whatever is not a live token of ours. */
  verify(token: string): LoginClaims | undefined;
}

/**
 * @param ring secrets of at least 32 bytes, which the config sees to: the library would sign with less. The first one
 * signs, and the token's header names it; all of them verify.
 */
export function createLoginTokens(ring: readonly string[]): LoginTokens {
  const secrets = new Map(ring.map((secret) => [keyIdOf(Buffer.from(secret)), secret]));
  const [first] = secrets;
  if (!first) throw new Error('a ring of secrets must not be empty');
  const [keyid, newest] = first;
  const candidatesFor = (token: string) => {
    const kid = jwt.decode(token, { complete: true })?.header.kid;
    // A release that had one secret named none.
    return kid === undefined ? [...secrets.values()] : [secrets.get(kid)].filter((secret) => secret !== undefined);
  };
  return {
    issue({ user_id, jti }, expiresAt) {
      const exp = expiresAt.getTime() / 1_000;
      return jwt.sign({ sub: user_id, jti, exp }, newest, { ...PINNED, algorithm: 'HS256', keyid });
    },
    verify(token) {
      for (const secret of candidatesFor(token)) {
        const claims = verifyWith(secret, token);
        if (claims) return claims;
      }
      return undefined;
    },
  };
}

function verifyWith(secret: string, token: string): LoginClaims | undefined {
  try {
    const { sub, jti, exp } = jwt.verify(token, secret, { ...PINNED, algorithms: ['HS256'] }) as jwt.JwtPayload;
    // The library takes a token without `exp` for one that never expires.
    const isOurs = typeof sub === 'string' && typeof jti === 'string' && typeof exp === 'number';
    return isOurs ? { user_id: sub, jti } : undefined;
  } catch {
    return undefined;
  }
}

const API_TOKEN = /^cas_[0-9a-z]{32}[0-9a-z]{7}$/;

/** Crockford's base32, 5 bits a character: 20 random bytes are 32 characters, a CRC-32 is 7. */
export function createApiToken(): { token: string; prefix: string; hash: Buffer } {
  const body = base32(BigInt(`0x${randomBytes(20).toString('hex')}`), 32);
  const token = `cas_${body}${checksum(body)}`;
  return { token, prefix: token.slice(0, 8), hash: hashApiToken(token) };
}

/** The checksum lets secret scanners, and us, tell a token from a look-alike without a lookup. */
export function isApiToken(token: string): boolean {
  return API_TOKEN.test(token) && checksum(token.slice(4, 36)) === token.slice(36);
}

export function hashApiToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const checksum = (body: string) => base32(BigInt(crc32(body)), 7);

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = DIGITS.charAt(Number(rest & 31n)) + text;
  return text;
}
