import { workspaceBase } from '../../contract/values/constants.ts';
import { MemberSchema, WorkspaceSchema } from '../../contract/account/workspaces.ts';
import { findWorkspacesOf, type JoinedWorkspaceModel, type MemberModel } from '../../db/queries/members.ts';
import { requireFound } from '../errors.ts';
import { presentRow } from '../http/handle.ts';

/** Returns a workspace as this member sees it. */
export const readWorkspace = async (userId: string, id: string) =>
  presentWorkspace(requireFound(await findWorkspacesOf(userId).findById(id), 'workspace'));

export const presentWorkspace = (row: JoinedWorkspaceModel) =>
  presentRow(WorkspaceSchema, { ...row, workspace_id: row.id, base_path: workspaceBase(row.id) });

export const presentMember = (row: MemberModel) =>
  presentRow(MemberSchema, { ...row, user_id: row.id, second_factor: row.has_second_factor, sso: row.has_sso });
