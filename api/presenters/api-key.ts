import type { ApiKey } from '../../contract/keys.ts';
import type { ApiKeyModel } from '../../db/models/api-key.ts';

export function presentApiKey({ id, name, prefix, created_at, last_used_at, expires_at }: ApiKeyModel): ApiKey {
  return {
    key_id: id,
    name,
    prefix,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
  };
}
