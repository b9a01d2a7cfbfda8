import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';

/** Age at which a key no longer stands for its session. docs/decisions.md, "Idempotency". */
const KEPT = "interval '24 hours'";

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
    await IdempotencyKeyModel.knex().raw(
      `insert into idempotency_keys (user_id, key, payload_hash, session_id)
       values (:user_id, :key, :payload_hash, :session_id)
       on conflict (user_id, key) do update
         set payload_hash = excluded.payload_hash, session_id = excluded.session_id, created_at = now()
         where idempotency_keys.created_at < now() - ${KEPT}`,
      row,
    );
    const { user_id, key } = row;
    return IdempotencyKeyModel.query().findById([user_id, key]).throwIfNotFound();
  }

  /** Returns the row of a key that still stands for a session; undefined if there is none. */
  static findLive(user_id: string, key: string) {
    return IdempotencyKeyModel.query()
      .findById([user_id, key])
      .where('created_at', '>=', IdempotencyKeyModel.raw(`now() - ${KEPT}`));
  }

  /** Removes the session's key, so that a request under the same key makes a new session. */
  static async free(sessionId: string, trx?: TransactionOrKnex): Promise<void> {
    await IdempotencyKeyModel.query(trx).delete().where({ session_id: sessionId });
  }

  /** Removes keys that are too old. Returns how many there were. */
  static removeExpired(): Promise<number> {
    return IdempotencyKeyModel.query()
      .delete()
      .where('created_at', '<', IdempotencyKeyModel.raw(`now() - ${KEPT}`))
      .execute();
  }
}
