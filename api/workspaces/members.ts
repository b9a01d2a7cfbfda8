import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { InvitationModel } from '../../db/models/invitation.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { UserModel } from '../../db/models/user.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { markWorkspaceDeleted } from '../../db/queries/deleted-workspaces.ts';
import { findMembers } from '../../db/queries/members.ts';
import { notify } from '../mail/send.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, refusal, requireFound } from '../errors.ts';
import { requireScope, type Caller } from '../guard/authenticate.ts';

/** What happens to the API tokens that a removed member created. */
type TokenChoice = 'keep' | 'revoke' | undefined;

/**
 * Runs `change` for a member of the caller's workspace, which stays locked meanwhile. Throws `insufficient_scope` unless an
 * owner changes an owner, and `last_owner`, without a change, if no owner would remain.
 */
export function changeMember(
  { workspaceId, ...caller }: Caller,
  user_id: string,
  change: (member: MembershipModel, trx: TransactionOrKnex) => Promise<unknown>,
): Promise<void> {
  return MembershipModel.transaction(async (trx) => {
    // Every transaction that locks both locks users first. Two could otherwise wait for each other.
    await UserModel.query(trx).select('id').findById(user_id).forNoKeyUpdate();
    await WorkspaceModel.lock(workspaceId, trx);
    const member = requireFound(await MembershipModel.query(trx).findById([user_id, workspaceId]), 'member');
    const wasOwner = member.role === 'owner';
    if (wasOwner && user_id !== caller.userId) requireScope(caller, 'workspace:own', 'an owner');
    await change(member, trx);
    // Otherwise the member could return with the former role.
    await InvitationModel.query(trx).delete().where({ workspace_id: workspaceId, invited_by: user_id });
    if (wasOwner && !(await MembershipModel.hasOwner(workspaceId, trx))) throw lastOwner([workspaceId]);
  });
}

/**
 * Removes a member. Throws `validation_failed` if the member's tokens are valid and `tokens` is undefined. `keep` makes them
 * tokens of the workspace, which no longer depend on a role.
 */
export async function removeMember(
  { user_id, workspace_id }: MembershipModel,
  tokens: TokenChoice,
  trx: TransactionOrKnex,
): Promise<void> {
  const created = { workspace_id, created_by: user_id };
  if (tokens === undefined) {
    const live = await ApiKeyModel.findLive(created, trx);
    const names = live.map(({ id, name }) => `${name} (${id})`).join(', ');
    if (names !== '') throw invalidAt('tokens', 'tokens', { names });
  }
  if (tokens === 'keep') await ApiKeyModel.query(trx).patch({ is_kept: true }).where(created);
  await MembershipModel.remove({ workspace_id, user_id }, trx);
}

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

/** Creates a workspace that the user owns. Returns its ID. */
export async function addWorkspace(
  { budgets }: Pick<ApiDeps['config'], 'budgets'>,
  { user_id, name }: { user_id: string; name: string },
  trx: TransactionOrKnex,
): Promise<string> {
  const id = typeid('ws').toString();
  await WorkspaceModel.query(trx).insert({ id, name, monthly_budget_usd: budgets.defaultUsd ?? budgets.maxUsd });
  await MembershipModel.query(trx).insert({ user_id, workspace_id: id, role: 'owner' });
  return id;
}

/** Deletes a workspace. Its members lose access at once, and a sweep removes its data. */
export function deleteWorkspace(workspace_id: string): Promise<void> {
  return WorkspaceModel.transaction(async (trx) => {
    const members = MembershipModel.query(trx).select('user_id').where({ workspace_id });
    await UserModel.query(trx).select('id').whereIn('id', members).orderBy('id').forNoKeyUpdate();
    await markWorkspaceDeleted(workspace_id, trx);
  });
}

/**
 * Deletes an account, and the workspaces without another member. Returns false, and changes nothing, if the password changed
 * since the user was read. Throws `last_owner` if other members would remain without an owner.
 */
export function deleteAccount({ id: user_id, credentials_version }: UserModel): Promise<boolean> {
  return UserModel.transaction(async (trx) => {
    const user = await UserModel.query(trx).findOne({ id: user_id, credentials_version }).forUpdate();
    if (!user) return false;
    const memberships = await MembershipModel.query(trx).where({ user_id }).orderBy('workspace_id');
    const orphaned: string[] = [];
    for (const { workspace_id, role } of memberships) {
      await WorkspaceModel.lock(workspace_id, trx);
      await MembershipModel.remove({ workspace_id, user_id }, trx);
      if (!(await MembershipModel.query(trx).findOne({ workspace_id }))) await markWorkspaceDeleted(workspace_id, trx);
      else if (role === 'owner' && !(await MembershipModel.hasOwner(workspace_id, trx))) orphaned.push(workspace_id);
    }
    if (orphaned.length > 0) throw lastOwner(orphaned);
    // A workspace is first named after its person.
    const joined = memberships.map(({ workspace_id }) => workspace_id);
    await WorkspaceModel.query(trx).patch({ name: 'Workspace' }).findByIds(joined).where({ name: user.name });
    await user.$query(trx).delete();
    return true;
  });
}

const lastOwner = (workspaceIds: readonly string[]) => refusal('last_owner', { workspaces: workspaceIds.join(', ') });
