/** Memberships that follow from a sign-in: by groups at the provider, and by the domain of the address. docs/sign-in.md. */
import { MEMBER_ROLES, type MemberRole } from '../../contract/values/constants.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { GroupRoleModel } from '../../db/models/group-role.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { UserModel } from '../../db/models/user.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import type { ApiDeps } from '../deps.ts';
import { domainOf, type Claims } from './claims.ts';

type MemberDeps = Pick<ApiDeps, 'config' | 'log'>;

/** The role that a sign-in gives in each workspace. */
export interface Given {
  /** undefined: the provider reports no groups, so memberships by groups stay as they are. */
  byGroup: Map<string, MemberRole> | undefined;
  byDomain: Map<string, MemberRole>;
}

export async function findGiven({ config, log }: MemberDeps, claims: Claims): Promise<Given> {
  const rules = config.sso?.join.filter(({ domain }) => domain === domainOf(claims)) ?? [];
  const ids = rules.map(({ workspaceId }) => workspaceId);
  const existing = ids.length === 0 ? [] : await WorkspaceModel.query().findByIds(ids).whereNull('deleted_at');
  const byDomain = new Map(
    rules
      .filter((rule) => existing.some(({ id }) => id === rule.workspaceId))
      .map((rule) => [rule.workspaceId, rule.role]),
  );
  if (claims.groups === undefined) {
    if (await GroupRoleModel.query().first()) {
      log.warn({ claim: config.sso?.groupsClaim }, 'single sign-on reported no groups, so memberships by groups stay');
    }
    return { byGroup: undefined, byDomain };
  }
  const byGroup = new Map<string, MemberRole>();
  const allowed = config.sso?.groupWorkspaces ?? [];
  for (const { workspace_id, role } of await GroupRoleModel.findGiven(claims.groups, allowed)) {
    const former = byGroup.get(workspace_id);
    if (former === undefined || MEMBER_ROLES.indexOf(role) < MEMBER_ROLES.indexOf(former))
      byGroup.set(workspace_id, role);
  }
  return { byGroup, byDomain };
}

/** Makes memberships by groups equal to what the groups give, and adds those by domain. Those that people gave stay. Returns the joined workspaces. */
export function applyGiven(
  { config, log }: MemberDeps,
  { id: user_id }: UserModel,
  { byGroup, byDomain }: Given,
): Promise<string[]> {
  return MembershipModel.transaction(async (trx) => {
    const record = (
      workspace_id: string,
      action: 'member_joined' | 'member_role_changed' | 'member_removed',
      by: 'group' | 'domain',
    ) =>
      AuditEventModel.record(
        { workspace_id, actor_user_id: user_id, action, object_id: user_id, details: { by } },
        trx,
      );
    const joined: string[] = [];
    // Every transaction that locks both locks users first, then workspaces in the order of their IDs.
    await UserModel.query(trx).select('id').findById(user_id).forNoKeyUpdate();
    const present = new Map(
      (await MembershipModel.query(trx).where({ user_id })).map((row) => [row.workspace_id, row]),
    );
    const ids = new Set([...present.keys(), ...byDomain.keys(), ...(byGroup?.keys() ?? [])]);
    for (const workspace_id of [...ids].sort()) {
      const [byGroups, byDomains] = [byGroup?.get(workspace_id), byDomain.get(workspace_id)];
      let member = present.get(workspace_id);
      if (byGroup && member?.source === 'sso' && member.role !== byGroups) {
        if (byGroups) await member.$query(trx).patch({ role: byGroups });
        else await MembershipModel.remove({ workspace_id, user_id }, trx);
        await record(workspace_id, byGroups ? 'member_role_changed' : 'member_removed', 'group');
        if (!byGroups) member = undefined;
      }
      const role = byGroups ?? byDomains;
      if (member || role === undefined) continue;
      await WorkspaceModel.lock(workspace_id, trx);
      const source = byGroups ? 'sso' : 'person';
      const isAdded = await MembershipModel.add({ workspace_id, user_id, role, source }, config.quotas.members, trx);
      if (isAdded) {
        joined.push(workspace_id);
        await record(workspace_id, 'member_joined', byGroups ? 'group' : 'domain');
      } else log.warn({ workspace_id }, 'single sign-on added no member: the limit of members is reached');
    }
    return joined;
  });
}
