import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../errors.ts';
import { isPasswordOf } from './hash-password.ts';

export interface PasswordProof {
  userId: string;
  current_password: string;
  address: string;
}

/** Returns the user whose password this is; throws `validation_failed` if it is another. Guesses count as at a login. */
export async function requirePassword(
  { loginLimits }: Pick<ApiDeps, 'loginLimits'>,
  { userId, current_password, address }: PasswordProof,
): Promise<UserModel> {
  const user = await UserModel.query().findById(userId).throwIfNotFound();
  const isCorrect = await loginLimits.guard(user.email, address, async () =>
    (await isPasswordOf(user, current_password)) ? true : undefined,
  );
  if (!isCorrect) throw invalid({ path: 'current_password', message: 'is not the current password' });
  return user;
}

/** Returns the error of who proved a password that is no longer the present one when it counts. */
export const passwordChanged = () =>
  new ApiError('conflict', 'The password was changed meanwhile. Log in with the new one.');
