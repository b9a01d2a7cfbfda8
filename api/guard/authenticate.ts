import type { LoginKind, LoginMethod, MemberRole, SignInPolicy } from '../../contract/values/constants.ts';
import { DEFAULT_SCOPES, hasRoleScope, PERSONAL_SCOPES, type Scope } from '../../contract/values/scopes.ts';
import { hashSecret } from '../../runtime/secrets/hash-secret.ts';
import { ApiKeyModel, type PresentKey } from '../../db/models/api-key.ts';
import { LoginModel, type AuthenticatedLogin } from '../../db/models/login.ts';
import { type ApiError, refusal } from '../errors.ts';
import type { PageFacts } from './console-cookie.ts';
import { isApiToken, type LoginTokens } from './tokens.ts';

export interface PresentLogin {
  id: string;
  kind: LoginKind;
  /** The person proved their identity in the last ten minutes. */
  isProved: boolean;
  /** The person used a second factor. */
  isStrong: boolean;
  method: LoginMethod;
  /** The policy of the workspace that this login does not satisfy; null: none. */
  lacks: SignInPolicy | null;
}

/** The person or program that makes a request. */
export interface Caller {
  /** The workspace of the request. Empty on endpoints without authentication, and for a user without a workspace. */
  workspaceId: string;
  /** The logged-in user, or the creator of the API token. Empty on endpoints without authentication. */
  userId: string;
  /** The person who has owned the workspace longest, for limits that all workspaces of an owner share. Empty without an owner. */
  ownerId: string;
  /** The user's role in the workspace. Undefined for a token that does not act for its creator. */
  role: MemberRole | undefined;
  /** Undefined for an API token. */
  login: PresentLogin | undefined;
  /** The API token; undefined for a login. */
  key: PresentKey | undefined;
}

interface Credentials {
  /** The `Authorization` header; empty without one. */
  authorization: string;
  /** Value of the console's cookie. */
  cookie: string | undefined;
  page: PageFacts;
  address: string;
  /** The workspace that the request's path names. */
  addressed: string | undefined;
}

/** Returns the caller with these credentials, or throws `unauthorized`. Spec §5.1; docs/decisions.md, "Logins". */
export async function authenticate(
  { authorization, cookie, page, address, addressed }: Credentials,
  loginTokens: LoginTokens,
): Promise<Caller> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token !== undefined) {
    const caller = isApiToken(token)
      ? await findByApiToken(token, address)
      : await findByLoginToken(token, loginTokens, addressed);
    if (caller) return caller;
  } else if (authorization === '' && cookie !== undefined) {
    const caller = await findByCookie(cookie, page, addressed);
    if (caller) return caller;
  }
  throw (token && (await explain(token, loginTokens))) || refusal('unauthorized:no_token');
}

/** Returns why a token that this service issued is refused. Only somebody who has the whole token gets this answer. */
async function explain(token: string, loginTokens: LoginTokens): Promise<ApiError | undefined> {
  if (loginTokens.wasIssued(token)) return refusal('unauthorized:ended');
  const found = isApiToken(token) ? await ApiKeyModel.findRefusal(hashSecret(token)) : undefined;
  if (!found || found.reason === 'unused') return found && refusal('unauthorized:unused');
  return refusal(`unauthorized:${found.reason}`, { time: found.at.toISOString() });
}

async function findByApiToken(token: string, address: string): Promise<Caller | undefined> {
  const key = await ApiKeyModel.authenticate(hashSecret(token), address);
  if (!key) return undefined;
  const { workspace_id: workspaceId, owner_id, created_by, role } = key;
  const ids = { workspaceId, ownerId: owner_id ?? '', userId: created_by ?? '' };
  return { ...ids, role: role ?? undefined, login: undefined, key };
}

async function findByLoginToken(
  token: string,
  loginTokens: LoginTokens,
  addressed: string | undefined,
): Promise<Caller | undefined> {
  const claims = loginTokens.verify(token);
  const login = claims && (await LoginModel.authenticate(claims.jti, addressed));
  return login?.kind === 'token' && login.user_id === claims?.user_id ? callerOf(login) : undefined;
}

/**
 * Returns the caller with this cookie. Browsers send it with every request, so it counts only for requests from the
 * console's own pages.
 */
async function findByCookie(
  cookie: string,
  { isOwn, isSafe }: PageFacts,
  addressed: string | undefined,
): Promise<Caller | undefined> {
  if (!(isOwn ?? isSafe)) return undefined;
  const login = await LoginModel.authenticate(cookie, addressed);
  return login?.kind === 'console' ? callerOf(login) : undefined;
}

const callerOf = ({ id, kind, method, lacks, is_proved, is_strong, ...row }: AuthenticatedLogin): Caller => ({
  workspaceId: row.workspace_id ?? '',
  ownerId: row.owner_id ?? '',
  userId: row.user_id,
  // A login that the workspace does not accept has no rights in it.
  role: lacks === null ? (row.role ?? undefined) : undefined,
  login: { id, kind, method, lacks, isProved: is_proved, isStrong: is_strong },
  key: undefined,
});

/**
 * Returns whether the credentials of a running request are still valid, with the same role. Does not update `last_used_at`.
 */
export async function isStillValid({ workspaceId, role, login, key }: Caller): Promise<boolean> {
  if (login) return LoginModel.isLive(login.id, workspaceId, role);
  return key !== undefined && ApiKeyModel.isLive(key);
}

/**
 * Returns whose limits a request counts for: the owner of the workspace, so that nobody gets more with more workspaces; or the
 * user without a workspace. Empty on endpoints without authentication.
 */
export const payerOf = ({ ownerId, workspaceId, userId }: Pick<Caller, 'ownerId' | 'workspaceId' | 'userId'>): string =>
  ownerId || workspaceId || userId;

/**
 * Returns whose requests are counted together: those of a person in the console, or those of the programs of an owner's
 * workspaces. So people and programs never use up each other's limit.
 */
export const limitKeyOf = (caller: Pick<Caller, 'ownerId' | 'workspaceId' | 'userId' | 'login'>): string =>
  isPerson(caller) ? `console ${caller.userId}` : payerOf(caller);

export const isPerson = ({ login }: Pick<Caller, 'login'>) => login?.kind === 'console';

/** Returns what created a row: the API token, or the user. */
export const creatorOf = ({ key, userId }: Pick<Caller, 'key' | 'userId'>): string => key?.id ?? userId;

/**
 * Returns whether the caller has the scope: of the role in the workspace, and of the token. A token that an owner kept does not
 * depend on its creator's role.
 */
export function hasScope({ key, role }: Pick<Caller, 'key' | 'role'>, scope: Scope): boolean {
  if (key) {
    const isWithinRole = key.is_kept || (key.creator_role !== null && hasRoleScope(key.creator_role, scope));
    return isWithinRole && (key.scopes ?? DEFAULT_SCOPES).includes(scope);
  }
  return PERSONAL_SCOPES.includes(scope) || (role !== undefined && hasRoleScope(role, scope));
}

/**
 * Throws `insufficient_scope` unless the caller has the scope. RFC 6750, section 3.1.
 * @param field of the request that needs the scope.
 */
export function requireScope(caller: Pick<Caller, 'key' | 'role'>, scope: Scope, field?: string): void {
  if (hasScope(caller, scope)) return;
  const headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
  throw caller.key
    ? refusal('insufficient_scope:token', { scope, field }, { headers })
    : refusal('insufficient_scope:role', { role: String(caller.role), scope, field }, { headers });
}

/** Throws unless the request has what the scope concerns: a workspace, or a person. */
export function requireSubject({ workspaceId, role, key, login }: Caller, scope: Scope): void {
  if (!PERSONAL_SCOPES.includes(scope)) {
    if (workspaceId === '') throw refusal('no_workspace');
    if (login?.lacks) throw strongerLoginRequired(login.lacks);
  } else if (key && role === undefined) {
    throw refusal('not_a_person:workspace');
  }
}

/** Returns the error for a login that does not satisfy the policy of its workspace. */
export const strongerLoginRequired = (policy: SignInPolicy): ApiError =>
  refusal(policy === 'sso' ? 'needs_single_sign_on' : 'needs_second_factor', { sign_in: policy });

/** Returns the login. Throws `not_a_person` for an API token. */
export function requirePerson(login: PresentLogin | undefined): PresentLogin {
  if (!login) throw refusal('not_a_person');
  return login;
}

/** Returns the login of a person who proved their identity in the last ten minutes. Throws `not_a_person` or `proof_required`. */
export function requireProof(login: PresentLogin | undefined): PresentLogin {
  const person = requirePerson(login);
  if (person.isProved) return person;
  throw refusal('proof_required');
}
