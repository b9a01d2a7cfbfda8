import type { LoginKind } from '../../contract/constants.ts';
import type { Scope } from '../../contract/scopes.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import type { PresentKey } from '../../db/models/api-key.ts';
import { LoginModel } from '../../db/models/login.ts';
import { ApiError } from '../errors.ts';
import type { PageFacts } from './page-facts.ts';
import { hashApiToken, isApiToken } from './tokens.ts';
import type { LoginTokens } from './tokens.ts';

export interface PresentLogin {
  id: string;
  kind: LoginKind;
}

/** Who makes a request. */
export interface Caller {
  /** Empty on endpoints without authentication. */
  userId: string;
  /** Undefined for an API token. */
  login: PresentLogin | undefined;
  /** The API token that the request comes with; undefined for a login. */
  key: PresentKey | undefined;
}

export interface Credentials {
  /** The `Authorization` header; empty without one. */
  authorization: string;
  /** Value of the console's cookie. */
  cookie: string | undefined;
  page: PageFacts;
  /** Where the request comes from. */
  address: string;
}

/** Returns whose credentials these are; throws `unauthorized`. Spec §5.1; docs/decisions.md, "Logins". */
export async function authenticate(
  { authorization, cookie, page, address }: Credentials,
  loginTokens: LoginTokens,
): Promise<Caller> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token !== undefined) {
    const caller = isApiToken(token)
      ? await findByApiToken(token, address)
      : await findByLoginToken(token, loginTokens);
    if (caller) return caller;
  } else if (authorization === '' && cookie !== undefined) {
    const caller = await findByCookie(cookie, page);
    if (caller) return caller;
  }
  throw new ApiError('unauthorized', 'Send a valid token as "Authorization: Bearer <API_TOKEN>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

async function findByApiToken(token: string, address: string): Promise<Caller | undefined> {
  const key = await ApiKeyModel.authenticate(hashApiToken(token), address);
  return key && { userId: key.user_id, login: undefined, key };
}

async function findByLoginToken(token: string, loginTokens: LoginTokens): Promise<Caller | undefined> {
  const claims = loginTokens.verify(token);
  const login = claims && (await LoginModel.authenticate(claims.jti));
  return login?.kind === 'token' && login.user_id === claims?.user_id ? callerOf(login) : undefined;
}

/**
 * Finds the login of a cookie. A browser sends it by itself, so it counts only where the browser says that a page of
 * ours asked.
 */
async function findByCookie(cookie: string, { isOwn, isSafe }: PageFacts): Promise<Caller | undefined> {
  if (!(isOwn ?? isSafe)) return undefined;
  const login = await LoginModel.authenticate(cookie);
  return login?.kind === 'console' ? callerOf(login) : undefined;
}

const callerOf = ({ id, user_id, kind }: LoginModel): Caller => ({
  userId: user_id,
  login: { id, kind },
  key: undefined,
});

/** Looks whether credentials that were good still are, for an answer that goes on for hours. It is no use of them. */
export async function isStillValid({ login, key }: Omit<Caller, 'userId'>): Promise<boolean> {
  if (login) return LoginModel.isLive(login.id);
  return key !== undefined && ApiKeyModel.isLive(key.id);
}

/** Throws `insufficient_scope` if the request comes with a token that is limited to other things. RFC 6750, section 3.1. */
export function requireScope({ key }: Caller, scope: Scope): void {
  if (!key?.scopes || key.scopes.includes(scope)) return;
  throw new ApiError('insufficient_scope', `This token lacks the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
