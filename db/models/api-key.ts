import { Model } from 'objection';
import type { QueryBuilder } from 'objection';
import { findPage } from '../page.ts';
import { prepared } from '../prepared.ts';
import type { PageRequest } from '../page.ts';
import type { Scope } from '../../contract/scopes.ts';

/** One row of `api_keys`. The token itself is stored nowhere. */
export class ApiKeyModel extends Model {
  static override tableName = 'api_keys';
  declare id: string;
  declare user_id: string;
  declare name: string;
  declare prefix: string;
  /** SHA-256 of the token. The token has 160 random bits, so a slower hash is not needed. */
  declare token_hash: Buffer;
  declare created_at: Date;
  /** null: the token may do everything. */
  declare scopes: Scope[] | null;
  declare last_used_at: Date | null;
  declare last_used_address: string | null;
  declare expires_at: Date | null;

  static findOwnedPage(userId: string, page: PageRequest) {
    return findPage(ApiKeyModel.query().where({ user_id: userId }), page);
  }

  static async revokeOwned(userId: string, id: string): Promise<boolean> {
    return (await ApiKeyModel.query().delete().where({ id, user_id: userId })) === 1;
  }

  /** Revokes every token of a user; returns how many there were. */
  static async revokeAll(userId: string): Promise<number> {
    return ApiKeyModel.query().delete().where({ user_id: userId });
  }

  /** Returns a live token of a live account. Use is noted at most once a minute: a hot token would make a hot row. */
  static async authenticate(tokenHash: Buffer, address: string): Promise<PresentKey | undefined> {
    const live = ApiKeyModel.query()
      .select(
        ...['id', 'user_id', 'scopes', 'expires_at'],
        ApiKeyModel.raw("coalesce(last_used_at < now() - interval '1 minute', true) as is_stale"),
      )
      .findOne({ token_hash: tokenHash })
      .where(isUnexpired)
      .whereRaw(IS_OWNER_ACTIVE);
    const key = await prepared(live).castTo<(PresentKey & { is_stale: boolean }) | undefined>();
    if (!key) return undefined;
    const { is_stale, ...present } = key;
    if (is_stale) {
      const use = { last_used_at: new Date(), last_used_address: address };
      await ApiKeyModel.query().findById(key.id).patch(use);
    }
    return present;
  }

  static async isLive(id: string): Promise<boolean> {
    const key = await ApiKeyModel.query().select('id').findById(id).where(isUnexpired).whereRaw(IS_OWNER_ACTIVE);
    return key !== undefined;
  }
}

export type PresentKey = Pick<ApiKeyModel, 'id' | 'user_id' | 'scopes' | 'expires_at'>;

const IS_OWNER_ACTIVE = 'exists (select from users where users.id = api_keys.user_id and disabled_at is null)';

const isUnexpired = (key: QueryBuilder<ApiKeyModel, never>) =>
  key.whereNull('expires_at').orWhere('expires_at', '>', ApiKeyModel.fn.now());
