import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { hashPassword } from './hash-password.ts';
import { passwordChanged, requirePassword } from './require-password.ts';
import type { PasswordProof } from './require-password.ts';

export interface PasswordChange extends PasswordProof {
  new_password: string;
  /** The login that goes on; every other one ends. */
  keptLogin: string | undefined;
}

/** Sets another password. Of changes at the same moment one wins, and the others are told so: `conflict`. */
export async function changePasswordOf(
  deps: Pick<ApiDeps, 'loginLimits'>,
  { new_password, keptLogin, ...proof }: PasswordChange,
): Promise<UserModel> {
  const user = await requirePassword(deps, proof);
  const changed = await storePassword(user, await hashPassword(new_password), keptLogin);
  if (!changed) throw passwordChanged();
  return changed;
}

function storePassword(user: UserModel, password_hash: string, keptLogin: string | undefined) {
  return UserModel.transaction(async (trx) => {
    const changed = await UserModel.setPassword(user, password_hash, trx);
    if (changed && keptLogin !== undefined) await LoginModel.adopt(keptLogin, changed.credentials_version, trx);
    return changed;
  });
}
