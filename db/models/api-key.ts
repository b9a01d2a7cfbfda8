import { Model, type QueryBuilder, type Transaction, type TransactionOrKnex } from 'objection';
import { now, runPrepared } from '../statements.ts';
import { findPage, type PageRequest } from '../page.ts';
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
  /** The token that was rolled; its successor has the same `chain_id`. null: it replaces none. */
  declare rolled_from: string | null;
  /** ID of the first token of a chain of rolled ones. */
  declare chain_id: string;
  /** An owner kept the token for the workspace when its creator was removed. */
  declare is_kept: boolean;

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

  static wasRolled(id: string, trx: TransactionOrKnex) {
    return ApiKeyModel.query(trx).select('id').findOne({ rolled_from: id });
  }

  /** Revokes a token, and those that it was rolled from and to. Returns false if there is none with this ID. */
  /** Returns the user behind the ID of a user or token; null: the user or the token is deleted. */
  static async findPerson(creator: string, trx: TransactionOrKnex): Promise<string | null> {
    if (!creator.startsWith('key_')) return creator;
    return (await ApiKeyModel.query(trx).findById(creator).select('created_by'))?.created_by ?? null;
  }

  static async revokeOwned(workspace_id: string, id: string): Promise<boolean> {
    const chain = ApiKeyModel.query().select('chain_id').where({ id, workspace_id });
    return (await ApiKeyModel.query().delete().where({ workspace_id }).whereIn('chain_id', chain)) > 0;
  }

  /** Returns the number of revoked tokens. */
  static async revokeAll(workspaceId: string): Promise<number> {
    return ApiKeyModel.query().delete().where({ workspace_id: workspaceId });
  }

  /** Also revokes the tokens that were created with these. */
  static async revokeCreatedBy(userId: string, trx: Transaction): Promise<void> {
    await ApiKeyModel.query(trx).delete().where({ created_by: userId });
  }

  /** Finds the valid tokens that depend on the role of this creator. */
  static findLive(key: { workspace_id: string; created_by: string }, trx: TransactionOrKnex) {
    const dependent = { ...key, is_kept: false };
    return ApiKeyModel.query(trx).select('id', 'name').where(dependent).where(isUnexpired).orderBy('id');
  }

  /** Returns a valid token. Its use is stored at most once a minute, because frequent updates of one row are slow. */
  static async authenticate(token_hash: Buffer, address: string): Promise<PresentKey | undefined> {
    const [key] = await runPrepared<PresentKey & { is_stale: boolean }>(
      `select api_keys.id, api_keys.workspace_id, created_by, scopes, expires_at, is_kept,
         owner_of(api_keys.workspace_id) as owner_id,
         coalesce(last_used_at < now() - interval '1 minute', true) as is_stale,
         creator.role as creator_role, case when is_default and not is_kept then creator.role end as role
       from ${KEYS_IN_USE} and token_hash = :token_hash`,
      { token_hash },
    );
    if (!key) return undefined;
    const { is_stale, ...present } = key;
    if (is_stale) {
      const use = { last_used_at: now(), last_used_address: address };
      await ApiKeyModel.query().findById(key.id).patch(use);
    }
    return present;
  }

  /** Returns why a token that was valid is refused; undefined: there was none in the last 90 days. */
  static async findRefusal(tokenHash: Buffer): Promise<TokenRefusal | undefined> {
    const [refusal] = await runPrepared<TokenRefusal>(
      `select case when expires_at <= now() then 'expired' else 'unused' end as reason, coalesce(expires_at, now()) as at
       from api_keys where token_hash = :tokenHash
       union all select 'revoked', revoked_at from revoked_tokens where token_hash = :tokenHash`,
      { tokenHash },
    );
    return refusal;
  }

  /** Returns whether the token is valid, and its creator still has the role. */
  static async isLive({ id, creator_role }: Pick<PresentKey, 'id' | 'creator_role'>): Promise<boolean> {
    const rows = await runPrepared(
      `select from ${KEYS_IN_USE} and api_keys.id = :id and (is_kept or creator.role is not distinct from :creator_role)`,
      { id, creator_role },
    );
    return rows.length === 1;
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

interface TokenRefusal {
  /** `unused`: its creator or its workspace is not active. */
  reason: 'expired' | 'revoked' | 'unused';
  at: Date;
}

export type PresentKey = Pick<
  ApiKeyModel,
  'id' | 'workspace_id' | 'created_by' | 'scopes' | 'expires_at' | 'is_kept'
> & {
  /** The present role of the token's creator, which limits the scopes; null: none. */
  creator_role: MemberRole | null;
  /**
   * The same in the creator's default workspace; null: the token acts for nobody. Elsewhere it does not act for its creator,
   * because colleagues may know it.
   */
  role: MemberRole | null;
  /** The owner whose limits the workspace counts for; null: none. */
  owner_id: string | null;
};

/** Valid tokens whose creator is an active member, and those that an owner kept. docs/decisions.md, "Tokens". */
const KEYS_IN_USE = `api_keys
  join workspaces on workspaces.id = api_keys.workspace_id and workspaces.disabled_at is null
  left join lateral (
    select memberships.role, users.default_workspace_id = memberships.workspace_id as is_default
    from memberships join users on users.id = memberships.user_id and users.disabled_at is null
    where memberships.user_id = api_keys.created_by and memberships.workspace_id = api_keys.workspace_id
  ) creator on true
  where (expires_at is null or expires_at > now()) and (is_kept or creator.role is not null)`;

const isUnexpired = (key: QueryBuilder<ApiKeyModel, never>) =>
  key.whereNull('expires_at').orWhere('expires_at', '>', ApiKeyModel.fn.now());
