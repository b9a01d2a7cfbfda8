import { Model, UniqueViolationError } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';

/** One row of `users`. */
export class UserModel extends Model {
  static override tableName = 'users';
  declare id: string;
  declare email: string;
  declare name: string;
  /** Argon2id in PHC form. */
  declare password_hash: string;
  /** A number that each login carries. A password change raises it, which ends the logins made before. */
  declare credentials_version: number;
  /** Bound of a calendar month (UTC) in US dollars; null for none. */
  declare monthly_budget_usd: number | null;
  /** Since when nobody gets in; null: the account is in use. */
  declare disabled_at: Date | null;
  /** Since when the account is gone; what is left of it is being removed. null: it is there. */
  declare deleted_at: Date | null;
  declare created_at: Date;

  /** Creates an account and returns it, or undefined if the address is taken, in whatever case. */
  static async register(
    fields: { email: string; name: string; password_hash: string; monthly_budget_usd?: number | null },
    trx?: TransactionOrKnex,
  ): Promise<UserModel | undefined> {
    try {
      return await UserModel.query(trx)
        .insert({ id: typeid('user').toString(), ...fields })
        .returning('*');
    } catch (error) {
      if (error instanceof UniqueViolationError) return undefined;
      throw error;
    }
  }

  /** Makes the first account; `late` if there is one already. Of several at the same moment, one is first. */
  static registerFirst(fields: Parameters<typeof UserModel.register>[0]): Promise<UserModel | 'late'> {
    return UserModel.transaction(async (trx) => {
      await trx.raw("select pg_advisory_xact_lock(hashtextextended('first_user', 0))");
      if (await UserModel.query(trx).select('id').first()) return 'late';
      return (await UserModel.register(fields, trx)) ?? 'late';
    });
  }

  static findByEmail(email: string) {
    return UserModel.query().findOne(UserModel.raw('lower(email) = lower(?)', email));
  }

  /**
   * Changes a row to the columns that `change` returns for it, under a lock, so that nobody else changes it in between.
   * Returns undefined if there is no such row.
   */
  static change(id: string, change: (row: UserModel) => Partial<UserModel>): Promise<UserModel | undefined> {
    return UserModel.transaction(async (trx) => {
      // Unlike FOR UPDATE, this lets rows that refer to the user be stored meanwhile.
      const row = await UserModel.query(trx).findById(id).forNoKeyUpdate();
      if (!row) return undefined;
      const columns = change(row);
      return Object.keys(columns).length === 0 ? row : row.$query(trx).patchAndFetch(columns);
    });
  }

  /**
   * Stores a new password hash. Returns undefined, and changes nothing, if the password was changed since the user was
   * read.
   */
  static async setPassword(
    { id, credentials_version }: UserModel,
    password_hash: string,
    trx: TransactionOrKnex,
  ): Promise<UserModel | undefined> {
    const [changed] = await UserModel.query(trx)
      .patch({ password_hash, credentials_version: credentials_version + 1 })
      .where({ id, credentials_version })
      .returning('*');
    return changed;
  }
}
