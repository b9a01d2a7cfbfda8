import { Model } from 'objection';
import type { QueryBuilder, Transaction, TransactionOrKnex } from 'objection';
import { now, prepared } from '../statements.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';
import type { MemberRole } from '../../contract/values/constants.ts';
import type { Scope } from '../../contract/values/scopes.ts';

/** One row of `api_keys`. The token itself is not stored. */
export class ApiKeyModel extends Model {
  static override tableName = 'api_keys';
  declare id: string;
  declare workspace_id: string;
  declare name: string;
  declare prefix: string;
  /** SHA-256. The token has 160 random bits, so a slower hash is not needed. */
  declare token_hash: Buffer;
  declare created_at: Date;
  /** null: all scopes except `NAMED_SCOPES`. */
  declare scopes: Scope[] | null;
  declare last_used_at: Date | null;
  declare last_used_address: string | null;
  /** null: the user is deleted. */
  declare created_by: string | null;
  /** The token it was created with; revoking that one revokes this one (foreign key). null: created with a login. */
  declare created_by_key: string | null;
  declare expires_at: Date | null;

  static findOwnedPage(workspaceId: string, page: PageRequest) {
    return findPage(ListedKeyModel.query().select('api_keys.*', CREATOR).where({ workspace_id: workspaceId }), page);
  }

  static findValid(key: { workspace_id: string; id: string }, trx: TransactionOrKnex) {
    return ApiKeyModel.query(trx).findOne(key).where(isUnexpired).forUpdate();
  }

  /** Lets the token expire, unless it expires earlier. */
  async expireIn(hours: number, trx: TransactionOrKnex): Promise<void> {
    const expires_at = ApiKeyModel.raw("least(expires_at, now() + ? * interval '1 hour')", hours) as unknown as Date;
    await this.$query(trx).patch({ expires_at });
  }

  static async revokeOwned(workspaceId: string, id: string): Promise<boolean> {
    return (await ApiKeyModel.query().delete().where({ id, workspace_id: workspaceId })) === 1;
  }

  /** Returns the number of revoked tokens. */
  static async revokeAll(workspaceId: string): Promise<number> {
    return ApiKeyModel.query().delete().where({ workspace_id: workspaceId });
  }

  /** Also revokes the tokens that were created with these. */
  static async revokeCreatedBy(userId: string, trx: Transaction): Promise<void> {
    await ApiKeyModel.query(trx).delete().where({ created_by: userId });
  }

  static findLive(key: { workspace_id: string; created_by: string }, trx: TransactionOrKnex) {
    return ApiKeyModel.query(trx).select('id', 'name').where(key).where(isUnexpired).orderBy('id');
  }

  /** Returns a valid token. Its use is stored at most once a minute, because frequent updates of one row are slow. */
  static async authenticate(tokenHash: Buffer, address: string): Promise<PresentKey | undefined> {
    const live = ApiKeyModel.query()
      .select(
        'id',
        'workspace_id',
        'created_by',
        'scopes',
        'expires_at',
        ApiKeyModel.raw("coalesce(last_used_at < now() - interval '1 minute', true) as is_stale"),
        ApiKeyModel.raw(ROLE_OF_CREATOR),
      )
      .findOne({ token_hash: tokenHash })
      .where(isUnexpired)
      .whereRaw(IS_WORKSPACE_ACTIVE);
    const key = await prepared(live).castTo<(PresentKey & { is_stale: boolean }) | undefined>();
    if (!key) return undefined;
    const { is_stale, ...present } = key;
    if (is_stale) {
      const use = { last_used_at: now(), last_used_address: address };
      await ApiKeyModel.query().findById(key.id).patch(use);
    }
    return present;
  }

  static async isLive(id: string): Promise<boolean> {
    const key = await ApiKeyModel.query().select('id').findById(id).where(isUnexpired).whereRaw(IS_WORKSPACE_ACTIVE);
    return key !== undefined;
  }
}

class ListedKeyModel extends ApiKeyModel {
  declare created_by_name: string | null;
  /** The creator is no longer a member. */
  declare created_by_left: boolean;
}

const CREATOR = ApiKeyModel.raw(`
  (select name from users where users.id = api_keys.created_by) as created_by_name,
  not exists (
    select from memberships where user_id = api_keys.created_by and workspace_id = api_keys.workspace_id
  ) as created_by_left`);

export type { ListedKeyModel };

export type PresentKey = Pick<ApiKeyModel, 'id' | 'workspace_id' | 'created_by' | 'scopes' | 'expires_at'> & {
  /** The role of the token's creator, in the creator's default workspace; null: the token acts for nobody. */
  role: MemberRole | null;
};

/** A token acts for its creator only in the creator's default workspace, because colleagues may know other tokens. */
const ROLE_OF_CREATOR = `(
  select memberships.role from users join memberships
    on memberships.user_id = users.id and memberships.workspace_id = users.default_workspace_id
  where users.id = api_keys.created_by and users.default_workspace_id = api_keys.workspace_id
    and users.disabled_at is null) as role`;

const IS_WORKSPACE_ACTIVE =
  'exists (select from workspaces where workspaces.id = api_keys.workspace_id and disabled_at is null)';

const isUnexpired = (key: QueryBuilder<ApiKeyModel, never>) =>
  key.whereNull('expires_at').orWhere('expires_at', '>', ApiKeyModel.fn.now());
