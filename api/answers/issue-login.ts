import type { Login } from '../../contract/account.ts';
import type { UserModel } from '../../db/models/user.ts';
import { startLogin } from '../commands/log-in.ts';
import type { LoginClient } from '../commands/log-in.ts';
import type { ApiDeps } from '../deps.ts';
import { presentUser } from '../presenters/user.ts';

/** Starts a login and returns it with its token, which is told only here. */
export async function issueLogin(
  { loginTokens }: Pick<ApiDeps, 'loginTokens'>,
  user: UserModel,
  client: LoginClient,
): Promise<Login> {
  const { secret, expires_at } = await startLogin(user, 'token', client);
  const token = loginTokens.issue({ user_id: user.id, jti: secret }, expires_at);
  return { user: presentUser(user), token, token_type: 'Bearer', expires_at: expires_at.toISOString() };
}
