/** The encrypted secrets of webhooks and alerts. docs/webhooks.md, "Verify the signature". */
import type { ApiDeps } from '../deps.ts';

type SecretDeps = Pick<ApiDeps, 'secrets'>;

/**
 * Returns the encrypted secret after a change. A new URL without a new secret clears the secret, because only the former
 * receiver knows it.
 * @param before undefined if there was no receiver.
 * @param after.secret the secret in the request; undefined if there is none.
 */
export function secretAfter(
  { secrets }: SecretDeps,
  before: { url: string | null; secret: string | null } | undefined,
  { url, secret, owner }: { url: string | null; secret: string | null | undefined; owner: string },
): string | null {
  if (secret === null) return null;
  if (secret !== undefined) return secrets.seal(secret, owner);
  return before?.url === url ? before.secret : null;
}

/** Encrypts a secret again for another owner. Returns null if the secret cannot be decrypted. */
export function copySecret(
  { secrets }: SecretDeps,
  sealed: string | null,
  { from, to }: { from: string; to: string },
): string | null {
  const secret = sealed === null ? undefined : secrets.open(sealed, from);
  return secret === undefined ? null : secrets.seal(secret, to);
}
