import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';

/** One row of `user_storage`, which triggers on `sessions` keep. A user who never stored a recording has none. */
export class UserStorageModel extends Model {
  static override tableName = 'user_storage';
  static override idColumn = 'user_id';
  declare user_id: string;
  declare audio_bytes: number;

  /** Returns how many bytes the recordings of the user's sessions have together. */
  static async audioBytes(userId: string, trx?: TransactionOrKnex): Promise<number> {
    return (await UserStorageModel.query(trx).findById(userId))?.audio_bytes ?? 0;
  }
}
