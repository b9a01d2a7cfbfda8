import { createHash } from 'node:crypto';
import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { LoginKind } from '../../contract/constants.ts';
import { now } from '../statements.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';

/** A login expires after this time without use: docs/decisions.md, "Logins". */
const IDLE = "interval '24 hours'";

/** A password change increases the user's version, which ends earlier logins. Disabled users have no logins. */
const HAS_PRESENT_CREDENTIALS =
  'credentials_version = (select credentials_version from users where users.id = logins.user_id and disabled_at is null)';

const WORKSPACE = '(select default_workspace_id from users where users.id = logins.user_id) as workspace_id';

/** ASVS 7.5.1. */
const IS_PROVED = "coalesce(proved_at > now() - interval '10 minutes', false) as is_proved";

const IS_STALE = "last_used_at < now() - interval '1 minute' as is_stale";

type NewLogin = Pick<LoginModel, 'user_id' | 'kind' | 'credentials_version' | 'address' | 'user_agent' | 'expires_at'> &
  Partial<Pick<LoginModel, 'is_strong' | 'proved_at'>> & { secret: string };

/** One row of `logins`. The secret, which is the cookie's value or the token's `jti`, is not stored. */
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
  /** When the person last proved their identity to this login; null: never. */
  declare proved_at: Date | null;
  /** The person used a second factor. */
  declare is_strong: boolean;
  /** `proved_at` is less than ten minutes ago. Not a column of `logins`. */
  declare is_proved: boolean;
  /** The user's default workspace. Not a column of `logins`. */
  declare workspace_id: string;
  /** The last use was stored more than a minute ago. Not a column of `logins`. */
  declare is_stale?: boolean;

  /** Stores a login and deletes the user's expired ones. */
  static async start({ secret, ...fields }: NewLogin): Promise<LoginModel> {
    await LoginModel.query().delete().where({ user_id: fields.user_id }).where('expires_at', '<', LoginModel.fn.now());
    return LoginModel.query()
      .insert({ id: typeid('login').toString(), secret_hash: hashSecret(secret), proved_at: now(), ...fields })
      .returning('*');
  }

  /** Returns the active login with this secret. Its use is stored at most once a minute. */
  static async authenticate(secret: string): Promise<LoginModel | undefined> {
    const login = await findLive()
      .select('logins.*', ...[WORKSPACE, IS_PROVED, IS_STALE].map((sql) => LoginModel.raw(sql)))
      .findOne({ secret_hash: hashSecret(secret) });
    if (login?.is_stale) await LoginModel.query().findById(login.id).patch({ last_used_at: now() });
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

  /** Stores that the person proved their identity to this login. */
  static async prove(id: string, { isStrong }: { isStrong: boolean }): Promise<void> {
    await LoginModel.query()
      .findById(id)
      .patch({ proved_at: now(), ...(isStrong && { is_strong: true }) });
  }

  /** Ends an active login of the user. Returns false if there is none with this ID. */
  static async endOwned(userId: string, id: string): Promise<boolean> {
    return (await findLive().where({ id, user_id: userId }).patch({ ended_at: now() })) === 1;
  }

  /** Keeps the login that changed the password active. */
  static async adopt(id: string, credentials_version: number, trx: TransactionOrKnex): Promise<void> {
    await LoginModel.query(trx).findById(id).patch({ credentials_version });
  }
}

/** Finds active logins. */
function findLive() {
  return LoginModel.query()
    .whereNull('ended_at')
    .where('expires_at', '>', LoginModel.fn.now())
    .where('last_used_at', '>', LoginModel.raw(`now() - ${IDLE}`))
    .whereRaw(HAS_PRESENT_CREDENTIALS);
}

/** A secret has 256 random bits, so a slower hash is not needed. */
const hashSecret = (secret: string) => createHash('sha256').update(secret).digest();
