import { Model } from 'objection';
import type { MemberRole } from '../../contract/constants.ts';

/** One row of `memberships`: a user in a workspace. */
export class MembershipModel extends Model {
  static override tableName = 'memberships';
  static override idColumn = ['user_id', 'workspace_id'];
  declare user_id: string;
  declare workspace_id: string;
  declare role: MemberRole;
  declare created_at: Date;
}
