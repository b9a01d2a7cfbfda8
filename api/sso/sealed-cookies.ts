/** State between two requests of a browser that is not logged in yet: sealed cookies that expire after ten minutes. */
import type { ApiDeps } from '../deps.ts';

const LIFETIME_S = 600;

/** Lax: the provider's redirect to the callback sends it, unlike the console's own cookie. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** What a cookie is for. A value counts only for its kind, whatever name the browser sends it with. */
type CookieKind = 'transaction' | 'unproven';

/** Returns the value of `Set-Cookie`. */
export function sealCookie(
  { secrets }: Pick<ApiDeps, 'secrets'>,
  { kind, name }: { kind: CookieKind; name: string },
  value: object,
): string {
  const json = JSON.stringify({ value, expires_at: Date.now() + LIFETIME_S * 1_000 });
  return `${name}=${secrets.seal(json, `${kind} ${name}`)}; Max-Age=${LIFETIME_S}; ${ATTRIBUTES}`;
}

/** Returns the value of a cookie that this service sealed with this kind and name in the last ten minutes. */
export function openCookie(
  { secrets }: Pick<ApiDeps, 'secrets'>,
  { kind, name }: { kind: CookieKind; name: string },
  cookie: string | undefined,
): object | undefined {
  const json = cookie === undefined ? undefined : secrets.open(cookie, `${kind} ${name}`);
  if (json === undefined) return undefined;
  const { value, expires_at } = JSON.parse(json) as { value: object; expires_at: number };
  return expires_at > Date.now() ? value : undefined;
}

export const clearCookie = (name: string) => `${name}=; Max-Age=0; ${ATTRIBUTES}`;
