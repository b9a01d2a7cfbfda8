import type { ApiKey } from '../../contract/keys.ts';
import type { ApiKeyModel } from '../../db/models/api-key.ts';

export function presentApiKey({ id, name, prefix, created_at, scopes, expires_at, ...use }: ApiKeyModel): ApiKey {
  return {
    key_id: id,
    name,
    prefix,
    created_at: created_at.toISOString(),
    scopes,
    last_used_at: use.last_used_at?.toISOString() ?? null,
    last_used_address: use.last_used_address,
    expires_at: expires_at?.toISOString() ?? null,
  };
}
