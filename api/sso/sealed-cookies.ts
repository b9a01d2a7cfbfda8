/** State of a sign-in that its browser keeps in sealed cookies. */
import { API_BASE } from '../../contract/values/constants.ts';
import type { ApiDeps } from '../deps.ts';

const LIFETIME_S = 600;

/** Lax: the provider's redirect to the callback sends it, unlike the console's own cookie. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

interface Cookie {
  /** What it is for. A value counts only for its kind, whatever name the browser sends it with. */
  kind: 'transaction' | 'unproven';
  name: string;
}

/** Returns the value of `Set-Cookie`. */
export function sealCookie({ secrets }: Pick<ApiDeps, 'secrets'>, { kind, name }: Cookie, value: object): string {
  const json = JSON.stringify({ value, expires_at: Date.now() + LIFETIME_S * 1_000 });
  return `${name}=${secrets.seal(json, `${kind} ${name}`)}; Max-Age=${LIFETIME_S}; ${ATTRIBUTES}`;
}

/** Returns the value of a cookie that this service sealed with this kind and name in the last ten minutes. */
export function openCookie(
  { secrets }: Pick<ApiDeps, 'secrets'>,
  { kind, name }: Cookie,
  cookie: string | undefined,
): object | undefined {
  const json = cookie === undefined ? undefined : secrets.open(cookie, `${kind} ${name}`);
  if (json === undefined) return undefined;
  const { value, expires_at } = JSON.parse(json) as { value: object; expires_at: number };
  return expires_at > Date.now() ? value : undefined;
}

export const clearCookie = (name: string) => `${name}=; Max-Age=0; ${ATTRIBUTES}`;

/** Longer cookies are dropped by browsers. */
const MAX_COOKIE_BYTES = 4_096;

/** The ID token, which some providers require to log out. Sent only with the request that needs it. */
const ID_TOKEN = 'cas_oidc_id_token';
const ID_TOKEN_ATTRIBUTES = `Path=${API_BASE}/v1/auth/oidc/end; Secure; HttpOnly; SameSite=Lax`;

/** Returns the cookies that keep the ID token until the browser is closed; none if the token is too long for one. */
export function keepIdToken({ secrets }: Pick<ApiDeps, 'secrets'>, idToken: string): string[] {
  const cookie = `${ID_TOKEN}=${secrets.seal(idToken, ID_TOKEN)}; ${ID_TOKEN_ATTRIBUTES}`;
  return cookie.length <= MAX_COOKIE_BYTES ? [cookie] : [];
}

export function readIdToken(
  { secrets }: Pick<ApiDeps, 'secrets'>,
  cookie: (name: string) => string | undefined,
): string | undefined {
  const sealed = cookie(ID_TOKEN);
  return sealed === undefined ? undefined : secrets.open(sealed, ID_TOKEN);
}

export const clearIdToken = () => `${ID_TOKEN}=; Max-Age=0; ${ID_TOKEN_ATTRIBUTES}`;
