import { Model, type QueryBuilder, type TransactionOrKnex } from 'objection';
import type { MemberRole } from '../../contract/values/constants.ts';
import { ApiKeyModel } from './api-key.ts';

/** One row of `memberships`: a user in a workspace. */
export class MembershipModel extends Model {
  static override tableName = 'memberships';
  static override idColumn = ['user_id', 'workspace_id'];
  declare user_id: string;
  declare workspace_id: string;
  declare role: MemberRole;
  /** `sso`: a group at the provider of single sign-on gives the role. */
  declare source: 'person' | 'sso';
  declare created_at: Date;

  /** Returns whether the workspace has an owner whose account is not disabled. */
  static async hasOwner(workspaceId: string, trx: TransactionOrKnex): Promise<boolean> {
    const owner = await MembershipModel.query(trx)
      .join('users', 'users.id', 'memberships.user_id')
      .where({ workspace_id: workspaceId, role: 'owner' })
      .whereNull('users.disabled_at')
      .first();
    return owner !== undefined;
  }

  /**
   * Adds a member to a workspace, which the caller locked; an existing one keeps the role. Returns false, and changes
   * nothing, if the workspace has `max` other members.
   */
  static async add(
    row: Pick<MembershipModel, 'workspace_id' | 'user_id' | 'role'> & Partial<Pick<MembershipModel, 'source'>>,
    max: number,
    trx: TransactionOrKnex,
  ): Promise<boolean> {
    const { workspace_id, user_id } = row;
    const others = MembershipModel.query(trx).where({ workspace_id }).whereNot({ user_id });
    if ((await others.resultSize()) >= max) return false;
    await MembershipModel.query(trx).insert(row).onConflict(['user_id', 'workspace_id']).ignore();
    await trx.raw(MOVE_DEFAULT, [[user_id]]);
    return true;
  }

  /** Removes one member, or all of them, and revokes the API tokens that they created, unless an owner kept them. */
  static async remove(key: { workspace_id: string; user_id?: string }, trx: TransactionOrKnex): Promise<void> {
    const removed = await MembershipModel.query(trx).delete().where(key).returning('user_id');
    const ids = removed.map(({ user_id }) => user_id);
    const created = { workspace_id: key.workspace_id, is_kept: false };
    await ApiKeyModel.query(trx).delete().where(created).whereIn('created_by', ids);
    await trx.raw(MOVE_DEFAULT, [ids]);
  }

  /** Selects the workspaces in which nobody but the user is a member. */
  static ofUserAlone(user_id: string, trx: TransactionOrKnex): QueryBuilder<MembershipModel> {
    return MembershipModel.query(trx)
      .select('workspace_id')
      .where({ user_id })
      .whereNotExists(
        MembershipModel.query(trx)
          .alias('others')
          .where('others.workspace_id', MembershipModel.ref('memberships.workspace_id'))
          .whereNot('others.user_id', user_id),
      );
  }
}

/** Users who are not members of their default workspace get the one they joined first. */
const MOVE_DEFAULT = `
  update users set default_workspace_id = first.workspace_id
  from (
    select distinct on (user_id) user_id, workspace_id from memberships
    where user_id = any(?) order by user_id, created_at, workspace_id) first
  where users.id = first.user_id and not exists (
    select from memberships where user_id = users.id and workspace_id = users.default_workspace_id)`;
