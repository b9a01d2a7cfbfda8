/** A browser that goes from the service to an OpenID Connect provider and back. */
import { expect } from 'chai';
import { API_BASE } from '../../contract/values/constants.ts';

/** The public URL in the service's settings. Never opened, because tests send callbacks to the API under test. */
export const PUBLIC_URL = 'https://calls.example.com';
/** Its name over plain HTTP at a loopback address, where tests run. */
export const CONSOLE_COOKIE = 'cas_console';
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

export type Cookies = Record<string, string>;

export const cookiesOf = ({ headers }: { headers: Headers }): Cookies =>
  Object.fromEntries(headers.getSetCookie().map((set) => set.split(';')[0]?.split(/=(.*)/) ?? [])) as Cookies;

export const headerOf = (cookies: Cookies) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

/** The headers of a request from the console. */
export const inConsole = (session: string) => ({ ...SAME_ORIGIN, Cookie: `${CONSOLE_COOKIE}=${session}` });

/** Requests a single sign-on URL of the API, which returns a redirect. */
export async function openAt(api: { url: string }, path: string, cookies: Cookies = {}) {
  const headers = { Cookie: headerOf(cookies) };
  const answer = await fetch(`${api.url}${API_BASE}/v1/auth/oidc/${path}`, { redirect: 'manual', headers });
  expect(answer.status, path).to.equal(303);
  return { location: answer.headers.get('location') ?? '', cookies: cookiesOf(answer) };
}

/** Signs in at the provider, starting at this URL. Returns the query of the callback. */
export type AtProvider = (url: string) => Promise<URLSearchParams>;

/** Signs in with single sign-on. Returns the console page that opens and the console's cookie. */
export async function signInAt(api: { url: string }, atProvider: AtProvider, query = '') {
  const begun = await openAt(api, `start${query}`);
  const done = await openAt(api, `callback?${(await atProvider(begun.location)).toString()}`, begun.cookies);
  return { ...done, session: done.cookies[CONSOLE_COOKIE] };
}

/**
 * Follows redirects until one leads to the service. Returns its query.
 * @param cookies the provider's cookies. New ones are added.
 */
export async function followToService(start: string, cookies: Cookies): Promise<URLSearchParams> {
  for (let url = start; ;) {
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie: headerOf(cookies) } });
    Object.assign(cookies, cookiesOf(answer));
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${answer.status} at ${url}`);
    if (location.startsWith(PUBLIC_URL)) return new URL(location).searchParams;
    url = new URL(location, url).href;
  }
}
