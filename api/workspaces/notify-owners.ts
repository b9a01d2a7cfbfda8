import { findMembers } from '../../db/queries/members.ts';
import type { UserModel } from '../../db/models/user.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { notify } from '../account/recovery.ts';
import type { ApiDeps } from '../deps.ts';

/** Mails the other owners that the user is an owner of their workspace. */
export async function notifyOwners(
  deps: Pick<ApiDeps, 'mailer'>,
  workspaceId: string,
  { id, email }: Pick<UserModel, 'id' | 'email'>,
): Promise<void> {
  const { name } = await WorkspaceModel.query().findById(workspaceId).throwIfNotFound();
  const others = await findMembers(workspaceId).where('memberships.role', 'owner').whereNot('users.id', id);
  for (const owner of others) notify(deps, owner, `${email} is an owner of the workspace ${name} now.`);
}
