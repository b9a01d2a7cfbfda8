import { typeid } from 'typeid-js';
import { createKey, listKeys, revokeAllKeys, revokeKey } from '../../contract/keys.ts';
import { SCOPES } from '../../contract/scopes.ts';
import type { Scope } from '../../contract/scopes.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import type { PresentKey } from '../../db/models/api-key.ts';
import { insertWithin } from '../../db/models/quota.ts';
import { answerWithList } from '../answers/answer-with-list.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../errors.ts';
import { handle } from '../http/handle.ts';
import { createApiToken } from '../http/tokens.ts';
import { presentApiKey } from '../presenters/api-key.ts';

const DAY_MS = 24 * 3_600_000;

export const keyRoutes = ({ config }: Pick<ApiDeps, 'config'>) => [
  handle(listKeys, ({ query, userId }) =>
    answerWithList(query, { userId, find: (page) => ApiKeyModel.findOwnedPage(userId, page), present: presentApiKey }),
  ),

  handle(createKey, async ({ body: { name, expires_in_days, scopes }, userId, key }) => {
    const expires_at = expires_in_days === undefined ? null : new Date(Date.now() + expires_in_days * DAY_MS);
    requireNoMore(key, { scopes: scopes ?? SCOPES, expires_at });
    const { token, prefix, hash } = createApiToken();
    const id = typeid('key').toString();
    const max = config.quotas.apiKeys;
    const fields = {
      id,
      user_id: userId,
      name,
      prefix,
      token_hash: hash,
      expires_at,
      scopes: scopes ? [...new Set(scopes)] : null,
    };
    const row = await insertWithin(ApiKeyModel, fields, max);
    if (!row) throw new ApiError('quota_exceeded', `You have ${max} API tokens, which is the most. Revoke one first.`);
    return { ...presentApiKey(row), token };
  }),

  handle(revokeAllKeys, async ({ userId }) => ({ revoked: await ApiKeyModel.revokeAll(userId) })),

  handle(revokeKey, async ({ params, userId }) => {
    const isRevoked = await ApiKeyModel.revokeOwned(userId, params.key_id);
    if (!isRevoked) throw new ApiError('not_found', 'No API token of yours has this id.');
  }),
];

/** Throws `validation_failed` if a token asks for one that may do more than itself, or outlives it. */
function requireNoMore(
  key: PresentKey | undefined,
  { scopes, expires_at }: { scopes: readonly Scope[]; expires_at: Date | null },
): void {
  const excess = scopes.filter((scope) => key?.scopes && !key.scopes.includes(scope));
  if (excess.length > 0)
    throw invalid({ path: 'scopes', message: `must be among those of this token, which lacks ${excess.join(', ')}` });
  const end = key?.expires_at;
  if (end && (expires_at === null || expires_at > end))
    throw invalid({ path: 'expires_in_days', message: `must be over before this token is, at ${end.toISOString()}` });
}
