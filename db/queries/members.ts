/** Users as members of a workspace, and workspaces as a member sees them. */
import type { MemberRole } from '../../contract/constants.ts';
import { UserModel } from '../models/user.ts';
import { WorkspaceModel } from '../models/workspace.ts';

export class MemberModel extends UserModel {
  declare role: MemberRole;
  declare joined_at: Date;
}

export class JoinedWorkspaceModel extends WorkspaceModel {
  /** Of the user. */
  declare role: MemberRole;
  /** Number of members. */
  declare members: number;
}

/** Finds the members of a workspace. */
export const findMembers = (workspaceId: string) =>
  MemberModel.query()
    .select('users.*', 'memberships.role', 'memberships.created_at as joined_at')
    .join('memberships', 'memberships.user_id', 'users.id')
    .where('memberships.workspace_id', workspaceId);

/** Finds the workspaces of a user. */
export const findWorkspacesOf = (userId: string) =>
  JoinedWorkspaceModel.query()
    .select('workspaces.*', 'memberships.role', JoinedWorkspaceModel.raw(MEMBERS))
    .join('memberships', 'memberships.workspace_id', 'workspaces.id')
    .where('memberships.user_id', userId)
    .whereNull('workspaces.disabled_at');

const MEMBERS = '(select count(*)::int from memberships every where every.workspace_id = workspaces.id) as members';
