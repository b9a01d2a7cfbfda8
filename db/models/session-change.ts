import { Model } from 'objection';
import { followRows, type Page, type PageRequest } from '../page.ts';
import { deleteInSteps } from '../statements.ts';

/** One row of `session_changes`, which triggers write. */
export class SessionChangeModel extends Model {
  static override tableName = 'session_changes';
  static override idColumn = 'session_id';
  declare id: string;
  declare updated_at: Date;

  /** Returns deleted sessions in the order of their deletion. */
  static findDeleted(
    workspace_id: string,
    after: string | undefined,
    page: PageRequest,
  ): Promise<Page<SessionChangeModel>> {
    const query = SessionChangeModel.query()
      .select({ id: 'session_id' }, 'updated_at')
      .where({ workspace_id, deleted: true });
    if (after) query.where('updated_at', '>=', after);
    return followRows(query, { time: 'updated_at', id: 'session_id', prefix: 'sess' }, page);
  }

  /** Forgets sessions that were deleted a year ago. */
  static removeExpired(): Promise<number> {
    return deleteInSteps(SessionChangeModel.tableName, "deleted and updated_at < now() - interval '1 year'");
  }
}
