import type { LoginKind } from '../../contract/constants.ts';
import { NAMED_SCOPES } from '../../contract/scopes.ts';
import type { Scope } from '../../contract/scopes.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import type { PresentKey } from '../../db/models/api-key.ts';
import { LoginModel } from '../../db/models/login.ts';
import { ApiError } from '../errors.ts';
import type { PageFacts } from './console-cookie.ts';
import { hashApiToken, isApiToken } from './tokens.ts';
import type { LoginTokens } from './tokens.ts';

export interface PresentLogin {
  id: string;
  kind: LoginKind;
  /** The person proved their identity in the last ten minutes. */
  isProved: boolean;
  /** The person used a second factor. */
  isStrong: boolean;
}

/** The person or program that makes a request. */
export interface Caller {
  /** The workspace of the request. Empty on endpoints without authentication. */
  workspaceId: string;
  /** The logged-in user, or the creator of the API token. Empty on endpoints without authentication. */
  userId: string;
  /** Undefined for an API token. */
  login: PresentLogin | undefined;
  /** The API token; undefined for a login. */
  key: PresentKey | undefined;
}

export interface Credentials {
  /** The `Authorization` header; empty without one. */
  authorization: string;
  /** Value of the console's cookie. */
  cookie: string | undefined;
  page: PageFacts;
  address: string;
}

/** Returns the caller with these credentials, or throws `unauthorized`. Spec §5.1; docs/decisions.md, "Logins". */
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
  throw new ApiError('unauthorized', 'Send a valid token as "Authorization: Bearer <API_TOKEN>".');
}

async function findByApiToken(token: string, address: string): Promise<Caller | undefined> {
  const key = await ApiKeyModel.authenticate(hashApiToken(token), address);
  return key && { workspaceId: key.workspace_id, userId: key.created_by ?? '', login: undefined, key };
}

async function findByLoginToken(token: string, loginTokens: LoginTokens): Promise<Caller | undefined> {
  const claims = loginTokens.verify(token);
  const login = claims && (await LoginModel.authenticate(claims.jti));
  return login?.kind === 'token' && login.user_id === claims?.user_id ? callerOf(login) : undefined;
}

/**
 * Returns the caller with this cookie. Browsers send it with every request, so it counts only for requests from the
 * console's own pages.
 */
async function findByCookie(cookie: string, { isOwn, isSafe }: PageFacts): Promise<Caller | undefined> {
  if (!(isOwn ?? isSafe)) return undefined;
  const login = await LoginModel.authenticate(cookie);
  return login?.kind === 'console' ? callerOf(login) : undefined;
}

const callerOf = ({ id, workspace_id, user_id, kind, is_proved, is_strong }: LoginModel): Caller => ({
  workspaceId: workspace_id,
  userId: user_id,
  login: { id, kind, isProved: is_proved, isStrong: is_strong },
  key: undefined,
});

/** Re-checks the credentials of a long-lived stream. Does not update `last_used_at`. */
export async function isStillValid({ login, key }: Pick<Caller, 'login' | 'key'>): Promise<boolean> {
  if (login) return LoginModel.isLive(login.id);
  return key !== undefined && ApiKeyModel.isLive(key.id);
}

/** Returns whether the caller has the scope. A token without a list of scopes has all but `NAMED_SCOPES`. */
export const hasScope = ({ key }: Pick<Caller, 'key'>, scope: Scope): boolean =>
  !key || (key.scopes ? key.scopes.includes(scope) : !NAMED_SCOPES.includes(scope));

/** Returns the error for a token without the scope. RFC 6750, section 3.1. */
export const insufficientScope = (scope: Scope): ApiError =>
  new ApiError('insufficient_scope', `This token lacks the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });

/** Returns the caller's login. Throws `not_a_person` for an API token. */
export function requirePerson({ login }: Pick<Caller, 'login'>): PresentLogin {
  if (!login) throw new ApiError('not_a_person', 'Log in to do this. API tokens cannot.');
  return login;
}

/** Returns the login of a person who proved their identity in the last ten minutes. Throws `not_a_person` or `proof_required`. */
export function requireProof(caller: Pick<Caller, 'login'>): PresentLogin {
  const login = requirePerson(caller);
  if (login.isProved) return login;
  throw new ApiError('proof_required', 'Confirm your identity with POST /v1/auth/proof, then repeat this request.');
}
