/** Memberships that follow from a sign-in: by groups at the provider, and by the domain of the address. docs/sign-in.md. */
import { MEMBER_ROLES } from '../../contract/constants.ts';
import type { MemberRole } from '../../contract/constants.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { GroupRoleModel } from '../../db/models/group-role.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { UserModel } from '../../db/models/user.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import type { ApiDeps } from '../deps.ts';
import { domainOf } from './claims.ts';
import type { Claims } from './claims.ts';

/** The role that a sign-in gives in each workspace. */
export interface Given {
  /** undefined: the provider reports no groups, so memberships by groups stay as they are. */
  byGroup: Map<string, MemberRole> | undefined;
  byDomain: Map<string, MemberRole>;
}

export async function findGiven({ config }: Pick<ApiDeps, 'config'>, claims: Claims): Promise<Given> {
  const rules = config.sso?.join.filter(({ domain }) => domain === domainOf(claims)) ?? [];
  const ids = rules.map(({ workspaceId }) => workspaceId);
  const existing = ids.length === 0 ? [] : await WorkspaceModel.query().findByIds(ids).whereNull('deleted_at');
  const byDomain = new Map(
    rules
      .filter((rule) => existing.some(({ id }) => id === rule.workspaceId))
      .map((rule) => [rule.workspaceId, rule.role]),
  );
  if (claims.groups === undefined) return { byGroup: undefined, byDomain };
  const byGroup = new Map<string, MemberRole>();
  for (const { workspace_id, role } of await GroupRoleModel.findGiven(claims.groups)) {
    const former = byGroup.get(workspace_id);
    if (former === undefined || MEMBER_ROLES.indexOf(role) < MEMBER_ROLES.indexOf(former))
      byGroup.set(workspace_id, role);
  }
  return { byGroup, byDomain };
}

/** Makes memberships by groups equal to what the groups give, and adds those by domain. Those that people gave stay. */
export function applyGiven({ id: user_id }: UserModel, { byGroup, byDomain }: Given): Promise<void> {
  return MembershipModel.transaction(async (trx) => {
    const record = (
      workspace_id: string,
      action: 'member_joined' | 'member_role_changed' | 'member_removed',
      by: string,
    ) =>
      AuditEventModel.record(
        { workspace_id, actor_user_id: user_id, action, object_id: user_id, details: { by } },
        trx,
      );
    // Every transaction that locks both locks users first.
    await UserModel.query(trx).select('id').findById(user_id).forNoKeyUpdate();
    const present = await MembershipModel.query(trx).where({ user_id });
    const isMember = (id: string) => present.some(({ workspace_id }) => workspace_id === id);
    for (const [workspace_id, role] of byGroup ?? []) {
      const former = present.find((member) => member.workspace_id === workspace_id);
      if (!former) {
        await MembershipModel.add({ workspace_id, user_id, role, source: 'sso' }, trx);
        await record(workspace_id, 'member_joined', 'group');
      } else if (former.source === 'sso' && former.role !== role) {
        await former.$query(trx).patch({ role });
        await record(workspace_id, 'member_role_changed', 'group');
      }
    }
    for (const { workspace_id, source } of present) {
      if (source !== 'sso' || byGroup === undefined || byGroup.has(workspace_id)) continue;
      await MembershipModel.remove({ workspace_id, user_id }, trx);
      await record(workspace_id, 'member_removed', 'group');
    }
    for (const [workspace_id, role] of byDomain) {
      if (isMember(workspace_id) || byGroup?.has(workspace_id)) continue;
      await MembershipModel.add({ workspace_id, user_id, role }, trx);
      await record(workspace_id, 'member_joined', 'domain');
    }
  });
}
