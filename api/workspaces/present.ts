import { workspaceBase } from '../../contract/constants.ts';
import type { Member, Workspace } from '../../contract/workspaces.ts';
import { findWorkspacesOf } from '../../db/queries/members.ts';
import type { JoinedWorkspaceModel, MemberModel } from '../../db/queries/members.ts';
import { requireFound } from '../errors.ts';

/** Returns a workspace as this member sees it. */
export const readWorkspace = async (userId: string, id: string): Promise<Workspace> =>
  presentWorkspace(requireFound(await findWorkspacesOf(userId).findById(id), 'workspace'));

export function presentWorkspace({ id, created_at, ...row }: JoinedWorkspaceModel): Workspace {
  const { name, role, sign_in, monthly_budget_usd, members } = row;
  const base_path = workspaceBase(id);
  return {
    ...{ workspace_id: id, name, base_path, role, sign_in, monthly_budget_usd, members },
    created_at: created_at.toISOString(),
  };
}

export const presentMember = ({ id, name, email, role, source, joined_at, ...row }: MemberModel): Member => ({
  ...{ user_id: id, name, email, role, source, second_factor: row.has_second_factor, sso: row.has_sso },
  joined_at: joined_at.toISOString(),
});
