import { randomBytes } from 'node:crypto';
import type { Login, login } from '../../contract/account/account.ts';
import type { LoginKind } from '../../contract/values/constants.ts';
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal } from '../errors.ts';
import type { RequestFacts } from '../http/handle.ts';
import { isPasswordOf } from '../guard/passwords.ts';
import { presentUser } from './present.ts';
import { requireCode } from './second-factor.ts';

/** The client that logs in, as the list of logins shows it. */
export type LoginClient = Pick<RequestFacts, 'address' | 'userAgent'>;

const HOUR_MS = 3_600_000;

/** Logins expire this long after they start, even if they are used. */
const LIFETIME_MS: Record<LoginKind, number> = { token: 24 * HOUR_MS, console: 30 * 24 * HOUR_MS };

const MAX_USER_AGENT_CHARACTERS = 300;

/** A person whose password, and code if there is a second factor, are right. */
export interface Authenticated {
  user: UserModel;
  /** With a second factor. */
  isStrong: boolean;
  /** Hours until a login by single sign-on expires; undefined: a login with the password. */
  ssoHours?: number | undefined;
}

type Attempt = EndpointInput<typeof login>['body'] & Pick<LoginClient, 'address'>;

/**
 * Throws `unauthorized`, `second_factor_required` or the errors of a wrong code. A wrong password and an unknown address give
 * the same error and take the same time.
 */
export async function checkCredentials(
  deps: Pick<ApiDeps, 'loginLimits' | 'mailer' | 'secrets'>,
  { email, password, code, address }: Attempt,
): Promise<Authenticated> {
  const user = await deps.loginLimits.guard(email, address, async () => {
    const found = await UserModel.findByEmail(email);
    return (await isPasswordOf(found, password)) && found?.disabled_at === null ? found : undefined;
  });
  if (!user) throw refusal('unauthorized:login');
  if (!user.has_second_factor) return { user, isStrong: false };
  if (code === undefined) throw refusal('second_factor_required:repeat');
  await requireCode(deps, user, code, { address });
  return { user, isStrong: true };
}

/** As `checkCredentials`. Throws `password_login_off` if `PASSWORD_LOGIN` does not admit the user. */
export async function logInWithPassword(
  deps: Pick<ApiDeps, 'config' | 'loginLimits' | 'mailer' | 'secrets'>,
  attempt: Attempt,
): Promise<Authenticated> {
  const { passwordLogin } = deps.config;
  if (passwordLogin === 'off') throw passwordLoginOff();
  const person = await checkCredentials(deps, attempt);
  if (passwordLogin === 'admins' && !person.user.is_admin) throw passwordLoginOff();
  return person;
}

const passwordLoginOff = () => refusal('password_login_off');

/** Returns the login's secret, which is not stored. The expiry has whole seconds, like that of a JWT. */
export async function startLogin(
  { user, isStrong, ssoHours }: Authenticated,
  kind: LoginKind,
  { address, userAgent }: LoginClient,
) {
  const secret = randomBytes(32).toString('base64url');
  const lifetimeMs = ssoHours === undefined ? LIFETIME_MS[kind] : ssoHours * HOUR_MS;
  const { expires_at } = await LoginModel.start({
    user_id: user.id,
    kind,
    secret,
    is_strong: isStrong,
    // The provider may have remembered the person.
    ...(ssoHours !== undefined && { method: 'sso', proved_at: null }),
    address,
    credentials_version: user.credentials_version,
    user_agent: userAgent.slice(0, MAX_USER_AGENT_CHARACTERS) || null,
    expires_at: new Date(Math.floor((Date.now() + lifetimeMs) / 1_000) * 1_000),
  });
  return { secret, expires_at };
}

/** Starts a login and returns it with its token, which no other response contains. */
export async function issueLogin(
  { loginTokens }: Pick<ApiDeps, 'loginTokens'>,
  person: Authenticated,
  client: LoginClient,
): Promise<Login> {
  const { secret, expires_at } = await startLogin(person, 'token', client);
  const token = loginTokens.issue({ user_id: person.user.id, jti: secret }, expires_at);
  return { user: presentUser(person.user), token, token_type: 'Bearer', expires_at: expires_at.toISOString() };
}
