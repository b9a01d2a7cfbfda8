/** Users as members of a workspace, and workspaces as a member sees them. */
import type { MemberRole } from '../../contract/values/constants.ts';
import { HAS_SECOND_FACTOR, UserModel } from '../models/user.ts';
import { WorkspaceModel } from '../models/workspace.ts';

export class MemberModel extends UserModel {
  declare role: MemberRole;
  declare joined_at: Date;
  declare source: 'person' | 'sso';
  declare has_sso: boolean;
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
    .select('users.*', MemberModel.raw(HAS_SECOND_FACTOR))
    .select('memberships.role', 'memberships.source', 'memberships.created_at as joined_at', MemberModel.raw(HAS_SSO))
    .join('memberships', 'memberships.user_id', 'users.id')
    .where('memberships.workspace_id', workspaceId);

/** Finds the workspaces of a user. */
export const findWorkspacesOf = (userId: string) =>
  JoinedWorkspaceModel.query()
    .select('workspaces.*', 'memberships.role', JoinedWorkspaceModel.raw(MEMBERS))
    .join('memberships', 'memberships.workspace_id', 'workspaces.id')
    .where('memberships.user_id', userId)
    .whereNull('workspaces.disabled_at');

const HAS_SSO = 'exists (select from identities where identities.user_id = users.id) as has_sso';

const MEMBERS = '(select count(*)::int from memberships every where every.workspace_id = workspaces.id) as members';
