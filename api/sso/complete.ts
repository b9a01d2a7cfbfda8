/** Completes a sign-in, link or proof after the provider's redirect. */
import type { AuditAction, SsoError } from '../../contract/values/constants.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { IdentityModel } from '../../db/models/identity.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import { startLogin, type LoginClient } from '../account/log-in.ts';
import type { ApiDeps } from '../deps.ts';
import { consoleCookie } from '../guard/console-cookie.ts';
import { identify, link } from './identify.ts';
import { verifiedEmailOf, type Claims } from './claims.ts';
import { acceptAll } from '../workspaces/invitations.ts';
import { applyGiven, findGiven } from './memberships.ts';
import { sealCookie } from './sealed-cookies.ts';

type SignInDeps = Pick<ApiDeps, 'config' | 'log' | 'mailer' | 'secrets'>;

/** Why the person was sent to the provider. */
export type Intent = { intent: 'login' } | { intent: 'link' | 'proof'; userId: string; loginId: string };

/** A person whose account must be proved with its password, or with its second factor. */
export interface Unproven {
  claims: Claims;
  userId: string;
  needs: 'password' | 'code';
}

export const LINK_COOKIE = { kind: 'unproven', name: '__Host-cas_oidc_link' } as const;

/** The page of the console that opens, and the cookies that its browser gets. */
interface Completion {
  page?: string;
  error?: SsoError;
  cookies?: string[];
}

/** Returns the path of a page that opens `next` afterwards. */
export const pageBefore = (next: string, page: string): string =>
  next === '/' ? page : `${page}${page.includes('?') ? '&' : '?'}next=${encodeURIComponent(next.toWellFormed())}`;

export async function complete(
  deps: SignInDeps,
  claims: Claims,
  intent: Intent & { next: string },
  client: LoginClient,
): Promise<Completion> {
  if (intent.intent === 'login') return logIn(deps, claims, intent.next, client);
  const { userId, loginId } = intent;
  if (!(await LoginModel.findOwned(userId, loginId))) return { error: 'sso_expired' };
  if (intent.intent === 'link') return linkTo(deps, claims, intent, client);
  const user = await IdentityModel.use(claims);
  if (user?.id !== userId) return { error: 'other_person' };
  await LoginModel.prove(loginId, { isStrong: claims.isStrong });
  return {};
}

async function logIn(deps: SignInDeps, claims: Claims, next: string, client: LoginClient): Promise<Completion> {
  const given = await findGiven(deps, claims);
  const outcome = await identify(deps, claims, given);
  if ('refused' in outcome) return { page: pageBefore(next, '/login'), error: outcome.refused };
  if ('unproven' in outcome) {
    const { needs, unproven } = outcome;
    const cookie = sealCookie(deps, LINK_COOKIE, { claims, userId: unproven.id, needs } satisfies Unproven);
    const page = pageBefore(next, needs === 'code' ? '/link?needs=code' : '/link');
    return { page: `${page}#${encodeURIComponent(unproven.email)}`, cookies: [cookie] };
  }
  const { user, isLinked } = outcome;
  if (isLinked) await record(user, 'identity_linked', client);
  const added = await applyGiven(deps, user, given);
  const invited = verifiedEmailOf(claims) ? await acceptAll(deps, user, client.address) : [];
  const cookies = [await openConsole(deps, user, claims, client)];
  // A new member's own workspace is empty.
  const [joined] = [...invited, ...added];
  return next === '/' && joined !== undefined ? { page: `/w/${joined}/`, cookies } : { cookies };
}

/** Starts a login by single sign-on. Returns its cookie. */
export async function openConsole(
  { config }: Pick<ApiDeps, 'config'>,
  user: UserModel,
  { isStrong }: Pick<Claims, 'isStrong'>,
  client: LoginClient,
): Promise<string> {
  const person = { user, isStrong, ssoHours: config.sso?.loginHours };
  const { secret } = await startLogin(person, 'console', client);
  await record(user, 'login_succeeded', client);
  return consoleCookie(secret)['Set-Cookie'];
}

async function linkTo(
  deps: SignInDeps,
  claims: Claims,
  { userId, loginId }: { userId: string; loginId: string },
  client: LoginClient,
): Promise<Completion> {
  const user = await UserModel.query().findById(userId).throwIfNotFound();
  if (!(await link(deps, user, claims))) return { error: 'other_person' };
  await LoginModel.endOthers(userId, loginId);
  await record(user, 'identity_linked', client);
  return {};
}

export const record = (user: UserModel, action: AuditAction, { address }: LoginClient) =>
  AuditEventModel.recordOwn(user, { action, address, details: { method: 'sso' } });
