import { Model } from 'objection';
import type { QueryBuilder } from 'objection';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';

/** One row of `api_keys`. The token itself is nowhere. */
export class ApiKeyModel extends Model {
  static override tableName = 'api_keys';
  declare id: string;
  declare user_id: string;
  declare name: string;
  declare prefix: string;
  /** SHA-256 of the token. It has 160 random bits, so nothing slower is needed. */
  declare token_hash: Buffer;
  declare created_at: Date;
  declare last_used_at: Date | null;
  declare expires_at: Date | null;

  static findOwnedPage(userId: string, page: PageRequest) {
    return findPage(ApiKeyModel.query().where({ user_id: userId }), page);
  }

  static async revokeOwned(userId: string, id: string): Promise<boolean> {
    return (await ApiKeyModel.query().delete().where({ id, user_id: userId })) === 1;
  }

  /** Returns the live token and its owner. Use is noted at most once a minute: a hot token would make a hot row. */
  static async authenticate(tokenHash: Buffer): Promise<Pick<ApiKeyModel, 'id' | 'user_id'> | undefined> {
    const key = await ApiKeyModel.query()
      .select(
        'id',
        'user_id',
        ApiKeyModel.raw("coalesce(last_used_at < now() - interval '1 minute', true) as is_stale"),
      )
      .findOne({ token_hash: tokenHash })
      .where(isUnexpired)
      .castTo<{ id: string; user_id: string; is_stale: boolean } | undefined>();
    if (!key) return undefined;
    if (key.is_stale) await ApiKeyModel.query().findById(key.id).patch({ last_used_at: new Date() });
    return key;
  }

  static async isLive(id: string): Promise<boolean> {
    return (await ApiKeyModel.query().select('id').findById(id).where(isUnexpired)) !== undefined;
  }
}

const isUnexpired = (key: QueryBuilder<ApiKeyModel, never>) =>
  key.whereNull('expires_at').orWhere('expires_at', '>', ApiKeyModel.fn.now());
