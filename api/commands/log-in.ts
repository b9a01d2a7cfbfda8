import type { Login } from '../../contract/account.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { presentUser } from '../presenters/user.ts';
import { isPasswordOf } from './hash-password.ts';

/** Answer and time are the same for a wrong password and an unknown address. */
export async function logIn(
  { loginLimits, loginTokens }: Pick<ApiDeps, 'loginLimits' | 'loginTokens'>,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<Login> {
  const user = await loginLimits.guard(email, address, async () => {
    const found = await UserModel.findByEmail(email);
    return (await isPasswordOf(found, password)) ? found : undefined;
  });
  if (!user)
    throw new ApiError('unauthorized', 'E-mail or password is wrong.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  return issueLogin(loginTokens, user);
}

export function issueLogin(loginTokens: ApiDeps['loginTokens'], user: UserModel): Login {
  const { token, expires_at } = loginTokens.issue({
    user_id: user.id,
    credentials_version: user.credentials_version,
  });
  return { user: presentUser(user), token, token_type: 'Bearer', expires_at: expires_at.toISOString() };
}
