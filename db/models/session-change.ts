import { Model } from 'objection';
import { followRows, type Page, type PageRequest } from '../page.ts';

/** Number of rows that one sweep removes. */
const BATCH = 10_000;

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
    const expired = SessionChangeModel.query()
      .select('session_id')
      .where('deleted', true)
      .where('updated_at', '<', SessionChangeModel.raw("now() - interval '1 year'"))
      .limit(BATCH);
    return SessionChangeModel.query().delete().whereIn('session_id', expired).execute();
  }
}
