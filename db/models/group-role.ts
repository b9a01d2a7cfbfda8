import { Model } from 'objection';
import type { MemberRole } from '../../contract/values/constants.ts';

/** One row of `group_roles`: the role of members with a group at the provider of single sign-on. */
export class GroupRoleModel extends Model {
  static override tableName = 'group_roles';
  static override idColumn = ['workspace_id', 'group_name'];
  declare workspace_id: string;
  declare group_name: string;
  declare role: Exclude<MemberRole, 'owner'>;

  static findOwned(workspace_id: string) {
    return GroupRoleModel.query().where({ workspace_id }).orderBy('group_name');
  }

  static replace(workspace_id: string, rows: readonly Pick<GroupRoleModel, 'group_name' | 'role'>[]): Promise<void> {
    return GroupRoleModel.transaction(async (trx) => {
      await GroupRoleModel.query(trx).delete().where({ workspace_id });
      // Without rows, it would insert one of default values.
      if (rows.length > 0) await GroupRoleModel.query(trx).insert(rows.map((row) => ({ workspace_id, ...row })));
    });
  }

  /** Finds the roles that these groups give in these workspaces. */
  static findGiven(groups: readonly string[], workspaceIds: readonly string[]) {
    return GroupRoleModel.query()
      .whereIn('group_name', [...groups])
      .whereIn('workspace_id', [...workspaceIds])
      .whereExists(GroupRoleModel.knex()('workspaces').whereRaw('id = workspace_id and deleted_at is null'));
  }
}
