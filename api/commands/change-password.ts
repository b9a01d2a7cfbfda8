import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../errors.ts';
import { hashPassword, isPasswordOf } from './hash-password.ts';

export interface PasswordChange {
  userId: string;
  current_password: string;
  new_password: string;
  /** The login that goes on; every other one ends. */
  keptLogin: string | undefined;
  address: string;
}

/** Sets another password. Of changes at the same moment one wins, and the others are told so: `conflict`. */
export async function changePasswordOf(
  { loginLimits }: Pick<ApiDeps, 'loginLimits'>,
  { userId, current_password, new_password, keptLogin, address }: PasswordChange,
): Promise<UserModel> {
  const user = await UserModel.query().findById(userId).throwIfNotFound();
  const isCorrect = await loginLimits.guard(user.email, address, async () =>
    (await isPasswordOf(user, current_password)) ? true : undefined,
  );
  if (!isCorrect) throw invalid({ path: 'current_password', message: 'is not the current password' });
  const changed = await storePassword(user, await hashPassword(new_password), keptLogin);
  if (!changed) throw new ApiError('conflict', 'The password was changed meanwhile. Log in with the new one.');
  return changed;
}

function storePassword(user: UserModel, password_hash: string, keptLogin: string | undefined) {
  return UserModel.transaction(async (trx) => {
    const changed = await UserModel.setPassword(user, password_hash, trx);
    if (changed && keptLogin !== undefined) await LoginModel.adopt(keptLogin, changed.credentials_version, trx);
    return changed;
  });
}
