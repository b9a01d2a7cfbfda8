import { createHash } from 'node:crypto';
import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { LoginKind } from '../../contract/constants.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';

/** Time without use after which a login is over. docs/decisions.md, "Logins". */
const IDLE = "interval '24 hours'";

/** A password change raises the user's version, so that whoever logged in with the old one is out; as is a disabled user. */
const HAS_PRESENT_CREDENTIALS =
  'credentials_version = (select credentials_version from users where users.id = logins.user_id and disabled_at is null)';

type NewLogin = Pick<
  LoginModel,
  'user_id' | 'kind' | 'credentials_version' | 'address' | 'user_agent' | 'expires_at'
> & { secret: string };

/** One row of `logins`. The secret itself, which is the cookie's value or the token's `jti`, is stored nowhere. */
export class LoginModel extends Model {
  static override tableName = 'logins';
  declare id: string;
  declare user_id: string;
  declare kind: LoginKind;
  declare secret_hash: Buffer;
  declare credentials_version: number;
  declare address: string;
  declare user_agent: string | null;
  declare created_at: Date;
  declare last_used_at: Date;
  declare expires_at: Date;
  declare ended_at: Date | null;

  /** Stores a login and removes the expired ones of its user. */
  static async start({ secret, ...fields }: NewLogin): Promise<LoginModel> {
    await LoginModel.query().delete().where({ user_id: fields.user_id }).where('expires_at', '<', LoginModel.fn.now());
    return LoginModel.query()
      .insert({ id: typeid('login').toString(), secret_hash: hashSecret(secret), ...fields })
      .returning('*');
  }

  /**
   * Returns the live login with this secret. Its use is stored at most once a minute, which spares a write per request.
   */
  static async authenticate(secret: string): Promise<LoginModel | undefined> {
    const login = await findLive().findOne({ secret_hash: hashSecret(secret) });
    if (login && Date.now() - login.last_used_at.getTime() > 60_000) {
      await login.$query().patch({ last_used_at: new Date() });
    }
    return login;
  }

  static async isLive(id: string): Promise<boolean> {
    return (await findLive().select('id').findById(id)) !== undefined;
  }

  static findOwned(userId: string, id: string) {
    return findLive().findOne({ id, user_id: userId });
  }

  static findOwnedPage(userId: string, page: PageRequest) {
    return findPage(findLive().where({ user_id: userId }), page);
  }

  /** Ends a login of this user. Returns false if none of theirs has the id, or if it was over before. */
  static async endOwned(userId: string, id: string): Promise<boolean> {
    return (await findLive().where({ id, user_id: userId }).patch({ ended_at: new Date() })) === 1;
  }

  /** Lets the login that changed the password outlive that change. */
  static async adopt(id: string, credentials_version: number, trx: TransactionOrKnex): Promise<void> {
    await LoginModel.query(trx).findById(id).patch({ credentials_version });
  }
}

/** Finds logins that have neither expired nor ended. */
function findLive() {
  return LoginModel.query()
    .whereNull('ended_at')
    .where('expires_at', '>', LoginModel.fn.now())
    .where('last_used_at', '>', LoginModel.raw(`now() - ${IDLE}`))
    .whereRaw(HAS_PRESENT_CREDENTIALS);
}

/** Hashes a login's secret. It has 256 random bits, so a slower hash is not needed. */
const hashSecret = (secret: string) => createHash('sha256').update(secret).digest();
