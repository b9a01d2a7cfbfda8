import { markUserDeleted } from '../../db/queries/deleted-users.ts';
import type { ApiDeps } from '../deps.ts';
import { passwordChanged, requirePassword } from './require-password.ts';
import type { PasswordProof } from './require-password.ts';

/**
 * Ends an account whose owner shows the password once more: from now on nothing of it is taken, called or posted. A sweep
 * removes what is stored, however often it has to begin again.
 */
export async function deleteAccount(deps: Pick<ApiDeps, 'loginLimits'>, proof: PasswordProof): Promise<void> {
  const user = await requirePassword(deps, proof);
  if (!(await markUserDeleted(user))) throw passwordChanged();
}
