import type { Config } from '../../runtime/config.ts';
import { UserModel } from '../../db/models/user.ts';
import { ApiError } from '../errors.ts';
import { hashPassword } from './passwords.ts';

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** Creates an account if the setting `REGISTRATION` allows it. Throws `registration_closed` or `email_taken`. */
export async function registerUser(
  {
    config: { passwordLogin, registration, budgets },
  }: { config: Pick<Config, 'budgets' | 'passwordLogin' | 'registration'> },
  newUser: NewUser,
): Promise<UserModel> {
  if (!passwordLogin) throw closed();
  if (registration === 'open') return addUser({ budgets }, newUser);
  // Checked first, because hashing a password is expensive.
  if (registration === 'closed' || (await UserModel.query().select('id').first())) throw closed();
  const user = await UserModel.registerFirst(await toRow({ budgets }, newUser));
  if (user === 'late') throw closed();
  return user;
}

/** Creates an account whatever the setting `REGISTRATION` is. Throws `email_taken`. */
export async function addUser(deps: Pick<Config, 'budgets'>, newUser: NewUser): Promise<UserModel> {
  const user = await UserModel.register(await toRow(deps, newUser));
  if (!user) throw new ApiError('email_taken', 'An account with this email address exists. Log in instead.');
  return user;
}

async function toRow({ budgets: { defaultUsd, maxUsd } }: Pick<Config, 'budgets'>, { password, ...fields }: NewUser) {
  return { ...fields, monthly_budget_usd: defaultUsd ?? maxUsd, password_hash: await hashPassword(password) };
}

const closed = () =>
  new ApiError('registration_closed', 'Registration is closed. Ask the operator of this installation for an account.');
