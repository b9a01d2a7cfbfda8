import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import * as contract from '../../contract/account/keys.ts';
import { DEFAULT_SCOPES, type Scope } from '../../contract/values/scopes.ts';
import { ApiKeyModel, type ListedKeyModel } from '../../db/models/api-key.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { insertWithin, WorkspaceModel } from '../../db/models/workspace.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, refusal, requireFound } from '../errors.ts';
import { hasScope, type Caller } from '../guard/authenticate.ts';
import { createApiToken } from '../guard/tokens.ts';
import { handle, presentPage, presentRow } from '../http/handle.ts';

const DAY_MS = 24 * 3_600_000;

export const keyRoutes = ({ config }: Pick<ApiDeps, 'config'>) => [
  handle(contract.listKeys, async ({ query: { limit = config.quotas.apiKeys, cursor }, workspaceId }) =>
    presentPage(await ApiKeyModel.findOwnedPage(workspaceId, { limit, cursor }), presentListedKey),
  ),

  handle(contract.createKey, async ({ body: { name, expires_in_days, scopes }, ...caller }) => {
    const expires_at = expires_in_days === undefined ? null : new Date(Date.now() + expires_in_days * DAY_MS);
    const granted = scopes ?? DEFAULT_SCOPES.filter((scope) => caller.key || hasScope(caller, scope));
    requireNoMore(caller, { scopes: granted, expires_at });
    const stored = scopes || granted.length < DEFAULT_SCOPES.length ? [...new Set(granted)] : null;
    const fields = { name, expires_at, scopes: stored, created_by_key: caller.key?.id ?? null };
    return ApiKeyModel.transaction((trx) => insertKey({ config }, caller, fields, trx));
  }),

  handle(contract.rollKey, ({ params: { key_id }, body: { overlap_hours = 24 }, ...caller }) =>
    ApiKeyModel.transaction(async (trx) => {
      const own = { workspace_id: caller.workspaceId, id: key_id };
      // Removing a member also locks the workspace before its tokens.
      await WorkspaceModel.lock(own.workspace_id, trx);
      const old = requireFound(await ApiKeyModel.findValid(own, trx), 'API token');
      requireNoMore(caller, { scopes: old.scopes ?? DEFAULT_SCOPES, expires_at: old.expires_at });
      if (await ApiKeyModel.wasRolled(old.id, trx)) throw refusal('token_rolled');
      const { name, scopes, expires_at, chain_id } = old;
      // A token that rolls itself is not the creator of the new one, which would otherwise end with it.
      const created_by_key = !caller.key || caller.key.id === old.id ? old.created_by_key : caller.key.id;
      const created = await insertKey(
        { config },
        caller,
        { name, scopes, expires_at, created_by_key, chain_id, rolled_from: old.id },
        trx,
      );
      await old.expireIn(overlap_hours, trx);
      return created;
    }),
  ),

  handle(contract.revokeAllKeys, async ({ workspaceId }) => ({ revoked: await ApiKeyModel.revokeAll(workspaceId) })),

  handle(contract.revokeKey, async ({ params, workspaceId }) => {
    const isRevoked = await ApiKeyModel.revokeOwned(workspaceId, params.key_id);
    requireFound(isRevoked, 'API token');
  }),
];

/** Stores a token, and returns it with its secret. Throws `quota_exceeded`, or `not_found` if the caller has left. */
async function insertKey(
  { config }: Pick<ApiDeps, 'config'>,
  { workspaceId: workspace_id, userId, key }: Caller,
  fields: Pick<ApiKeyModel, 'name' | 'scopes' | 'expires_at' | 'created_by_key'> &
    Partial<Pick<ApiKeyModel, 'chain_id' | 'rolled_from'>>,
  trx: TransactionOrKnex,
) {
  const { token, prefix, hash } = createApiToken();
  const max = config.quotas.apiKeys;
  const id = typeid('key').toString();
  const ids = { id, workspace_id, created_by: userId || null, is_kept: key?.is_kept ?? false };
  const secret = { prefix, token_hash: hash };
  const row = await insertWithin(trx, ApiKeyModel, { chain_id: id, ...fields, ...ids, ...secret }, max);
  if (!row) throw refusal('tokens_limit', { max });
  // The workspace is locked: a member who was removed during the request gets no token.
  if (!key?.is_kept) requireFound(await MembershipModel.query(trx).findById([userId, workspace_id]), 'membership');
  return { ...presentApiKey(row), token };
}

/** Throws `validation_failed` if the new token would have more scopes or a later expiry than the caller. */
function requireNoMore(
  caller: Pick<Caller, 'key' | 'role'>,
  { scopes, expires_at }: { scopes: readonly Scope[]; expires_at: Date | null },
): void {
  const excess = scopes.filter((scope) => !hasScope(caller, scope)).join(', ');
  const holder = caller.key ? 'this token' : `your role, ${caller.role}`;
  if (excess !== '') throw invalidAt('scopes', 'scopes', { holder, scopes: excess });
  const end = caller.key?.expires_at;
  if (end && (expires_at === null || expires_at > end))
    throw invalidAt('expires_in_days', 'expiry', { time: end.toISOString() });
}

export const presentApiKey = (row: ApiKeyModel) => presentRow(contract.ApiKeySchema, { ...row, key_id: row.id });

const presentListedKey = (row: ListedKeyModel) => presentRow(contract.ListedApiKeySchema, { ...row, key_id: row.id });
