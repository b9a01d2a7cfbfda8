import * as contract from '../../contract/account/workspaces.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { UserModel } from '../../db/models/user.ts';
import { GroupRoleModel } from '../../db/models/group-role.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { findPage } from '../../db/page.ts';
import { findMembers, findWorkspacesOf } from '../../db/queries/members.ts';
import { checkBudget } from '../guard/check-budget.ts';
import { requirePassword } from '../guard/passwords.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal, requireFound } from '../errors.ts';
import { requireProof, requireScope, strongerLoginRequired, type Caller } from '../guard/authenticate.ts';
import type { SignInPolicy } from '../../contract/values/constants.ts';
import { DEFAULT_PAGE, handle, presentPage } from '../http/handle.ts';
import { presentMember, presentWorkspace, readWorkspace } from './present.ts';
import { addWorkspace, changeMember, deleteWorkspace, notifyOwners, removeMember } from './members.ts';

export const workspaceRoutes = (deps: Pick<ApiDeps, 'config' | 'loginLimits' | 'mailer'>) => [
  handle(contract.listWorkspaces, async ({ query: { limit = DEFAULT_PAGE, cursor }, userId }) =>
    presentPage(await findPage(findWorkspacesOf(userId), { limit, cursor }), presentWorkspace),
  ),

  handle(contract.createWorkspace, async ({ body, userId }) =>
    readWorkspace(userId, await createWorkspace(deps, userId, body.name)),
  ),

  handle(contract.getWorkspace, ({ userId, workspaceId }) => readWorkspace(userId, workspaceId)),

  handle(contract.updateWorkspace, async ({ body, userId, workspaceId, ...caller }) => {
    const { monthly_budget_usd, sign_in } = body;
    if (sign_in !== undefined) requirePolicyRight(caller, sign_in);
    if (monthly_budget_usd !== undefined) checkBudget(monthly_budget_usd, deps.config.budgets.maxUsd);
    if (Object.keys(body).length > 0) {
      await WorkspaceModel.query()
        .findById(workspaceId)
        .patch(body as Partial<WorkspaceModel>);
    }
    return readWorkspace(userId, workspaceId);
  }),

  handle(contract.deleteWorkspace, async ({ body, userId, workspaceId, login, address }) => {
    await requirePassword(deps, { ...body, userId, login, address });
    await deleteWorkspace(workspaceId);
  }),

  handle(contract.listMembers, async ({ query: { limit = deps.config.quotas.members, cursor }, workspaceId }) =>
    presentPage(await findPage(findMembers(workspaceId), { limit, cursor }), presentMember),
  ),

  handle(contract.updateMember, async ({ params: { user_id }, body: { role }, ...caller }) => {
    if (role === 'owner') requireScope(caller, 'workspace:own', 'an owner');
    await changeMember(caller, user_id, async (member, trx) => member.$query(trx).patch({ role, source: 'person' }));
    const member = requireFound(await findMembers(caller.workspaceId).findById(user_id), 'member');
    if (role === 'owner') await notifyOwners(deps, caller.workspaceId, member);
    return presentMember(member);
  }),

  handle(contract.removeMember, ({ params, query: { tokens }, ...caller }) => {
    if (tokens === 'keep') requireScope(caller, 'workspace:own', 'tokens=keep');
    return changeMember(caller, params.user_id, (member, trx) => removeMember(member, tokens, trx));
  }),

  // A person who leaves may know the tokens, so only another owner can keep them.
  handle(contract.leaveWorkspace, (caller) =>
    changeMember(caller, caller.userId, (member, trx) => removeMember(member, 'revoke', trx)),
  ),

  handle(contract.getGroupRoles, ({ workspaceId }) => readGroupRoles(workspaceId)),

  handle(contract.setGroupRoles, async ({ body: { data }, workspaceId, login }) => {
    requireProof(login);
    if (data.length > 0 && !deps.config.sso?.groupWorkspaces.includes(workspaceId)) throw refusal('groups_not_allowed');
    await GroupRoleModel.replace(
      workspaceId,
      data.map(({ group, role }) => ({ group_name: group, role })),
    );
    return readGroupRoles(workspaceId);
  }),
];

/** Returns the ID of a new workspace, which the user owns. Throws `quota_exceeded` or `registration_closed`. */
function createWorkspace({ config }: Pick<ApiDeps, 'config'>, user_id: string, name: string): Promise<string> {
  const { quotas, registration } = config;
  return UserModel.transaction(async (trx) => {
    await UserModel.query(trx).select('id').findById(user_id).forNoKeyUpdate();
    const owned = await MembershipModel.query(trx).where({ user_id, role: 'owner' }).resultSize();
    if (owned >= quotas.workspaces) throw refusal('workspaces_limit', { max: quotas.workspaces });
    // Otherwise, inviting people would open a closed installation to them.
    if (owned === 0 && registration !== 'open') throw refusal('owners_only');
    return addWorkspace(config, { user_id, name }, trx);
  });
}

/** Only owners set the policy, with a login that satisfies it, so that they keep access. */
function requirePolicyRight(caller: Pick<Caller, 'key' | 'login' | 'role'>, policy: SignInPolicy): void {
  requireScope(caller, 'workspace:own', 'sign_in');
  const { isStrong, method } = requireProof(caller.login);
  const isSatisfied = policy === 'any' || (policy === 'sso' ? method === 'sso' : isStrong);
  if (!isSatisfied) throw strongerLoginRequired(policy);
}

async function readGroupRoles(workspaceId: string) {
  const rows = await GroupRoleModel.findOwned(workspaceId);
  return { data: rows.map(({ group_name, role }) => ({ group: group_name, role })) };
}
