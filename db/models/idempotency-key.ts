import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';

/** Age at which a key no longer stands for what was made under it. docs/decisions.md, "Idempotency". */
export const KEY_KEPT = "interval '24 hours'";

const IS_OLD = `held.created_at < now() - ${KEY_KEPT}`;

/** One row of `idempotency_keys`: a client's key and the session that it stands for. */
export class IdempotencyKeyModel extends Model {
  static override tableName = 'idempotency_keys';
  static override idColumn = ['user_id', 'key'];
  declare user_id: string;
  declare key: string;
  /** SHA-256 of the request that was submitted under the key. */
  declare payload_hash: Buffer;
  declare session_id: string;
  declare created_at: Date;

  /**
   * Takes the key for `session_id`. Returns the row that holds the key now: this one, or that of an earlier caller.
   * Callers at the same moment get the same row.
   */
  static async claim(
    row: Pick<IdempotencyKeyModel, 'user_id' | 'key' | 'payload_hash' | 'session_id'>,
  ): Promise<IdempotencyKeyModel> {
    const { rows } = await IdempotencyKeyModel.knex().raw<{ rows: [object] }>(
      `insert into idempotency_keys as held (user_id, key, payload_hash, session_id)
       values (:user_id, :key, :payload_hash, :session_id)
       on conflict (user_id, key) do update
         set payload_hash = case when ${IS_OLD} then excluded.payload_hash else held.payload_hash end,
           session_id = case when ${IS_OLD} then excluded.session_id else held.session_id end,
           created_at = case when ${IS_OLD} then now() else held.created_at end
       returning *`,
      row,
    );
    return IdempotencyKeyModel.fromDatabaseJson(rows[0]);
  }

  /** Returns the row of a key that still stands for a session; undefined if there is none. */
  static findLive(user_id: string, key: string) {
    return IdempotencyKeyModel.query()
      .findById([user_id, key])
      .where('created_at', '>=', IdempotencyKeyModel.raw(`now() - ${KEY_KEPT}`));
  }

  /** Removes the session's key, so that a request under the same key makes a new session. */
  static async free(sessionId: string, trx?: TransactionOrKnex): Promise<void> {
    await IdempotencyKeyModel.query(trx).delete().where({ session_id: sessionId });
  }

  /** Removes keys that are too old. Returns how many there were. */
  static removeExpired(): Promise<number> {
    return IdempotencyKeyModel.query()
      .delete()
      .where('created_at', '<', IdempotencyKeyModel.raw(`now() - ${KEY_KEPT}`))
      .execute();
  }
}
