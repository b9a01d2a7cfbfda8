import { typeid } from 'typeid-js';
import { createKey, listKeys, revokeAllKeys, revokeKey } from '../../contract/keys.ts';
import type { ApiKey } from '../../contract/keys.ts';
import { DEFAULT_SCOPES } from '../../contract/scopes.ts';
import type { Scope } from '../../contract/scopes.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { insertWithin } from '../../db/models/workspace.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid, requireFound } from '../errors.ts';
import { hasScope } from '../guard/authenticate.ts';
import type { Caller } from '../guard/authenticate.ts';
import { createApiToken } from '../guard/tokens.ts';
import { handle, presentPage } from '../http/handle.ts';

const DAY_MS = 24 * 3_600_000;

export const keyRoutes = ({ config }: Pick<ApiDeps, 'config'>) => [
  handle(listKeys, async ({ query: { limit = config.quotas.apiKeys, cursor }, workspaceId }) =>
    presentPage(await ApiKeyModel.findOwnedPage(workspaceId, { limit, cursor }), presentApiKey),
  ),

  handle(createKey, async ({ body: { name, expires_in_days, scopes }, workspaceId, userId, ...caller }) => {
    const { key } = caller;
    const expires_at = expires_in_days === undefined ? null : new Date(Date.now() + expires_in_days * DAY_MS);
    const granted = scopes ?? DEFAULT_SCOPES.filter((scope) => key || hasScope(caller, scope));
    requireNoMore(caller, { scopes: granted, expires_at });
    const { token, prefix, hash } = createApiToken();
    const max = config.quotas.apiKeys;
    const fields = {
      id: typeid('key').toString(),
      workspace_id: workspaceId,
      created_by: userId || null,
      created_by_key: key?.id ?? null,
      name,
      prefix,
      token_hash: hash,
      expires_at,
      scopes: scopes || granted.length < DEFAULT_SCOPES.length ? [...new Set(granted)] : null,
    };
    const row = await ApiKeyModel.transaction((trx) => insertWithin(trx, ApiKeyModel, fields, max));
    if (!row) throw new ApiError('quota_exceeded', `Limit of ${max} API tokens reached. Revoke one first.`);
    return { ...presentApiKey(row), token };
  }),

  handle(revokeAllKeys, async ({ workspaceId }) => ({ revoked: await ApiKeyModel.revokeAll(workspaceId) })),

  handle(revokeKey, async ({ params, workspaceId }) => {
    const isRevoked = await ApiKeyModel.revokeOwned(workspaceId, params.key_id);
    requireFound(isRevoked, 'API token');
  }),
];

/** Throws `validation_failed` if the new token would have more scopes or a later expiry than the caller. */
function requireNoMore(
  caller: Pick<Caller, 'key' | 'role'>,
  { scopes, expires_at }: { scopes: readonly Scope[]; expires_at: Date | null },
): void {
  const excess = scopes.filter((scope) => !hasScope(caller, scope)).join(', ');
  const holder = caller.key ? 'this token' : `your role, ${caller.role}`;
  if (excess !== '') throw invalid({ path: 'scopes', message: `must be scopes of ${holder}, which lacks ${excess}` });
  const end = caller.key?.expires_at;
  if (end && (expires_at === null || expires_at > end))
    throw invalid({ path: 'expires_in_days', message: `must end before this token expires, at ${end.toISOString()}` });
}

export function presentApiKey(row: ApiKeyModel): ApiKey {
  const { id, name, prefix, scopes, created_by, created_by_key, last_used_address } = row;
  return {
    key_id: id,
    name,
    prefix,
    scopes,
    created_by,
    created_by_key,
    last_used_address,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}
