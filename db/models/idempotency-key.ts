import { Model, type TransactionOrKnex } from 'objection';
import { readRows } from '../statements.ts';

/** Lifetime of a key: docs/decisions.md, "Idempotency". */
export const KEY_KEPT = "interval '24 hours'";

const IS_OLD = `held.created_at < now() - ${KEY_KEPT}`;

/** One row of `idempotency_keys`: a client's key and its session. */
export class IdempotencyKeyModel extends Model {
  static override tableName = 'idempotency_keys';
  static override idColumn = ['workspace_id', 'key'];
  declare workspace_id: string;
  declare key: string;
  /** SHA-256 of the request. */
  declare payload_hash: Buffer;
  declare session_id: string;
  declare created_at: Date;

  /**
   * Claims the key for `session_id`. Returns the row that has the key: this one, or an earlier one. Concurrent callers get the
   * same row.
   */
  static async claim(
    row: Pick<IdempotencyKeyModel, 'workspace_id' | 'key' | 'payload_hash' | 'session_id'>,
  ): Promise<IdempotencyKeyModel> {
    const rows = await readRows<[object]>(
      `insert into idempotency_keys as held (workspace_id, key, payload_hash, session_id)
       values (:workspace_id, :key, :payload_hash, :session_id)
       on conflict (workspace_id, key) do update
         set payload_hash = case when ${IS_OLD} then excluded.payload_hash else held.payload_hash end,
           session_id = case when ${IS_OLD} then excluded.session_id else held.session_id end,
           created_at = case when ${IS_OLD} then now() else held.created_at end
       returning *`,
      row,
    );
    return IdempotencyKeyModel.fromDatabaseJson(rows[0]);
  }

  /** Returns the row of a key that has not expired. */
  static findLive(workspace_id: string, key: string) {
    return IdempotencyKeyModel.query()
      .findById([workspace_id, key])
      .where('created_at', '>=', IdempotencyKeyModel.raw(`now() - ${KEY_KEPT}`));
  }

  /** Deletes the session's key, so that a request with the key creates a new session. */
  static async free(sessionId: string, trx: TransactionOrKnex): Promise<void> {
    await IdempotencyKeyModel.query(trx).delete().where({ session_id: sessionId });
  }

  /** Deletes expired keys. Returns their number. */
  static removeExpired(): Promise<number> {
    return IdempotencyKeyModel.query()
      .delete()
      .where('created_at', '<', IdempotencyKeyModel.raw(`now() - ${KEY_KEPT}`))
      .execute();
  }
}
