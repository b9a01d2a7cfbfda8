import type { Config } from '../../runtime/config.ts';
import { UserModel } from '../../db/models/user.ts';
import { ApiError } from '../errors.ts';
import { hashPassword } from './hash-password.ts';

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** Makes an account where this installation takes one; throws `registration_closed` or `email_taken`. */
export async function registerUser(
  { config: { registration, budgets } }: { config: Pick<Config, 'budgets' | 'registration'> },
  newUser: NewUser,
): Promise<UserModel> {
  if (registration === 'closed') throw closed();
  if (registration === 'open') return addUser({ budgets }, newUser);
  // Asked first: a closed door must not cost the hash of a password.
  if (await UserModel.query().select('id').first()) throw closed();
  const user = await UserModel.registerFirst(await toRow({ budgets }, newUser));
  if (user === 'late') throw closed();
  return user;
}

/** Makes an account whatever the setting `REGISTRATION` says; throws `email_taken`. */
export async function addUser(deps: Pick<Config, 'budgets'>, newUser: NewUser): Promise<UserModel> {
  const user = await UserModel.register(await toRow(deps, newUser));
  if (!user) throw new ApiError('email_taken', 'An account with this e-mail address exists. Log in instead.');
  return user;
}

async function toRow({ budgets: { defaultUsd, maxUsd } }: Pick<Config, 'budgets'>, { password, ...fields }: NewUser) {
  return { ...fields, monthly_budget_usd: defaultUsd ?? maxUsd, password_hash: await hashPassword(password) };
}

const closed = () =>
  new ApiError('registration_closed', 'This server takes no new accounts. Ask whoever runs it for one.');
