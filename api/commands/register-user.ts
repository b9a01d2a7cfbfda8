import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { hashPassword } from './hash-password.ts';

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** Makes an account with the budget that this installation gives; throws `email_taken`. */
export async function registerUser(
  { config }: { config: Pick<ApiDeps['config'], 'budgets'> },
  { password, ...fields }: NewUser,
): Promise<UserModel> {
  const { defaultUsd, maxUsd } = config.budgets;
  const monthly_budget_usd = defaultUsd ?? maxUsd;
  const user = await UserModel.register({ ...fields, monthly_budget_usd, password_hash: await hashPassword(password) });
  if (!user) throw new ApiError('email_taken', 'An account with this e-mail address exists. Log in instead.');
  return user;
}
