import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../http/api-error.ts';
import { hashPassword, isPasswordOf } from './hash-password.ts';

export interface PasswordChange {
  userId: string;
  current_password: string;
  new_password: string;
  /** The login that goes on; every other one ends. */
  keptLogin: string | undefined;
  address: string;
}

/** Of two changes at the same moment one wins: the other's current password is current no more. */
export async function changePasswordOf(
  { loginLimits }: Pick<ApiDeps, 'loginLimits'>,
  { userId, current_password, new_password, keptLogin, address }: PasswordChange,
): Promise<UserModel> {
  const user = await UserModel.query().findById(userId).throwIfNotFound();
  const isCorrect = await loginLimits.guard(user.email, address, async () =>
    (await isPasswordOf(user, current_password)) ? true : undefined,
  );
  const changed = isCorrect && (await storePassword(user, await hashPassword(new_password), keptLogin));
  if (!changed) throw invalid({ path: 'current_password', message: 'is not the current password' });
  return changed;
}

function storePassword(user: UserModel, password_hash: string, keptLogin: string | undefined) {
  return UserModel.transaction(async (trx) => {
    const changed = await UserModel.setPassword(user, password_hash, trx);
    if (changed && keptLogin !== undefined) await LoginModel.adopt(keptLogin, changed.credentials_version, trx);
    return changed;
  });
}
