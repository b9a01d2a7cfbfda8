import { randomBytes } from 'node:crypto';
import type { LoginKind } from '../../contract/constants.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { isPasswordOf } from './hash-password.ts';

/** The client that logs in, as the list of logins names it. */
export interface LoginClient {
  address: string;
  userAgent: string;
}

const HOUR_MS = 3_600_000;

/** Milliseconds after which a login is over, however much it is used. */
const LIFETIME_MS: Record<LoginKind, number> = { token: 24 * HOUR_MS, console: 30 * 24 * HOUR_MS };

/** Characters after which a client's name is cut. */
const USER_AGENT_CHARACTERS = 300;

/** Returns whose e-mail address and password these are. Answer and time are the same for a wrong password and an unknown address. */
export async function checkPassword(
  { loginLimits }: Pick<ApiDeps, 'loginLimits'>,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<UserModel> {
  const user = await loginLimits.guard(email, address, async () => {
    const found = await UserModel.findByEmail(email);
    return (await isPasswordOf(found, password)) && found?.disabled_at === null ? found : undefined;
  });
  if (!user)
    throw new ApiError('unauthorized', 'E-mail or password is wrong.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  return user;
}

/** Returns the login's secret, which is stored nowhere. A JWT tells its end in whole seconds. */
export async function startLogin(user: UserModel, kind: LoginKind, { address, userAgent }: LoginClient) {
  const secret = randomBytes(32).toString('base64url');
  const { expires_at } = await LoginModel.start({
    ...{ user_id: user.id, kind, secret, address },
    credentials_version: user.credentials_version,
    user_agent: userAgent.slice(0, USER_AGENT_CHARACTERS) || null,
    expires_at: new Date(Math.floor((Date.now() + LIFETIME_MS[kind]) / 1_000) * 1_000),
  });
  return { secret, expires_at };
}
