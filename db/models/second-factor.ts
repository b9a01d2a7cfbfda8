import { Model } from 'objection';
import { hashSecret } from '../../runtime/secrets/hash-secret.ts';
import { readRows } from '../statements.ts';

/** Wrong codes in a row, of all logins and networks, after which codes are held for 1, 2, 4 … 24 hours. */
const CODES_UNTIL_HOLD = 100;

export class SecondFactorModel extends Model {
  static override tableName = 'second_factors';
  /** The user's ID. */
  declare id: string;
  /** Base32, sealed and bound to the user. */
  declare secret: string;
  /** The last 30-second step whose code was used. */
  declare last_step: number;
  /** Wrong codes since the last right one. */
  declare failures: number;
  declare held_until: Date | null;
  /** null: being set up; logins need no code. */
  declare confirmed_at: Date | null;

  /** Stores a secret to be confirmed. Returns false if the user has a confirmed one. */
  static async begin(id: string, secret: string): Promise<boolean> {
    const { rowCount } = await SecondFactorModel.knex().raw<{ rowCount: number }>(
      `insert into second_factors (id, secret) values (?, ?)
       on conflict (id) do update set secret = excluded.secret, last_step = 0
       where second_factors.confirmed_at is null`,
      [id, secret],
    );
    return rowCount === 1;
  }

  /** Counts a try before the code is checked, so that parallel guesses can't exceed the limit. Returns undefined if held. */
  static async countTry(id: string): Promise<SecondFactorModel | undefined> {
    const rows = await readRows<object[]>(COUNT_TRY, { id });
    return rows[0] && SecondFactorModel.fromDatabaseJson(rows[0]);
  }

  /** Accepts the code of a step. Returns false if the code, or a later one, was used. */
  static async accept(id: string, step: number): Promise<boolean> {
    const accepted = await SecondFactorModel.query()
      .patch({ last_step: step, failures: 0, held_until: null })
      .where({ id })
      .where('last_step', '<', step);
    return accepted === 1;
  }

  /** Confirms the secret and stores hashes of recovery codes. */
  static setRecoveryCodes(user_id: string, codes: readonly string[]): Promise<void> {
    return SecondFactorModel.transaction(async (trx) => {
      // The lock makes concurrent calls replace each other's codes.
      await SecondFactorModel.query(trx).findById(user_id).patch({ confirmed_at: CONFIRMED }).throwIfNotFound();
      await RecoveryCodeModel.query(trx).delete().where({ user_id });
      await RecoveryCodeModel.query(trx).insert(codes.map((code) => ({ user_id, code_hash: hashSecret(code) })));
    });
  }

  /** Returns false if the user has none that was confirmed. */
  static async remove(user_id: string): Promise<boolean> {
    return SecondFactorModel.transaction(async (trx) => {
      const [removed] = await SecondFactorModel.query(trx).delete().where({ id: user_id }).returning('confirmed_at');
      await RecoveryCodeModel.query(trx).delete().where({ user_id });
      return removed?.confirmed_at != null;
    });
  }
}

const CONFIRMED = SecondFactorModel.raw('coalesce(confirmed_at, now())') as unknown as Date;

const COUNT_TRY = `
  update second_factors set failures = failures + 1,
    held_until = case when (failures + 1) % ${CODES_UNTIL_HOLD} = 0
      then now() + least(24, 2 ^ ((failures + 1) / ${CODES_UNTIL_HOLD} - 1)) * interval '1 hour' end
  where id = :id and coalesce(held_until <= now(), true)
  returning *`;

/** One row of `recovery_codes`. The code itself is not stored. */
export class RecoveryCodeModel extends Model {
  static override tableName = 'recovery_codes';
  static override idColumn = ['user_id', 'code_hash'];
  declare user_id: string;
  declare code_hash: Buffer;

  /** Deletes the code. Of concurrent calls, one returns true. */
  static async use(user_id: string, code: string): Promise<boolean> {
    return (await RecoveryCodeModel.query().deleteById([user_id, hashSecret(code)])) === 1;
  }

  static count(user_id: string): Promise<number> {
    return RecoveryCodeModel.query().where({ user_id }).resultSize();
  }
}
