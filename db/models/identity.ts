import { Model, type TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import { now } from '../statements.ts';
import { UserModel } from './user.ts';

/** A person at an OpenID Connect provider. */
interface Subject {
  issuer: string;
  subject: string;
  email: string | null;
}

export class IdentityModel extends Model {
  static override tableName = 'identities';
  declare id: string;
  declare issuer: string;
  declare subject: string;
  declare user_id: string;
  /** As the provider last reported it. It identifies nobody. */
  declare email: string | null;
  declare created_at: Date;
  declare last_used_at: Date;

  /** Returns the user of an identity and stores its use. */
  static async use({ issuer, subject, email }: Subject): Promise<UserModel | undefined> {
    const [identity] = await IdentityModel.query()
      .patch({ last_used_at: now(), ...(email !== null && { email }) })
      .where({ issuer, subject })
      .returning('user_id');
    return identity && UserModel.withDetails().findById(identity.user_id);
  }

  /** Gives the user an identity. Returns false if another user has it. */
  static async link(user_id: string, { issuer, subject, email }: Subject, trx?: TransactionOrKnex): Promise<boolean> {
    const { rowCount } = await (trx ?? IdentityModel.knex()).raw<{ rowCount: number }>(
      `insert into identities (id, issuer, subject, email, user_id) values (?, ?, ?, ?, ?)
       on conflict (issuer, subject) do update set email = excluded.email where identities.user_id = excluded.user_id`,
      [typeid('idt').toString(), issuer, subject, email, user_id],
    );
    return rowCount === 1;
  }

  static findOwned(user_id: string, id: string) {
    return IdentityModel.query().findOne({ id, user_id });
  }

  static findAllOwned(user_id: string) {
    return IdentityModel.query().where({ user_id }).orderBy('id', 'desc');
  }

  /** Deletes an identity. Returns false, and changes nothing, if the user could not log in without it. */
  static unlink({ id, user_id }: IdentityModel): Promise<boolean> {
    return IdentityModel.transaction(async (trx) => {
      const user = await UserModel.query(trx).findById(user_id).forNoKeyUpdate().throwIfNotFound();
      const others = await IdentityModel.query(trx).where({ user_id }).whereNot({ id }).resultSize();
      if (user.password_hash === null && others === 0) return false;
      await IdentityModel.query(trx).deleteById(id);
      return true;
    });
  }
}
