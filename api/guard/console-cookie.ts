/** The console's login: a cookie that no script can read and no other site can send. docs/decisions.md, "Logins". */
import type { Context } from 'koa';
import { isLoopback } from '../../runtime/network/loopback.ts';

/** Browsers accept the prefix only from the host itself, for the whole host, with `Secure`. */
const PREFIX = '__Host-';

/** The cookie's name over HTTPS. `readCookie` says why others have no prefix. */
export const CONSOLE_COOKIE = `${PREFIX}cas_console`;

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export const consoleCookie = (secret: string) => ({ 'Set-Cookie': `${CONSOLE_COOKIE}=${secret}; ${ATTRIBUTES}` });

export const clearedConsoleCookie = { 'Set-Cookie': `${CONSOLE_COOKIE}=; Max-Age=0; ${ATTRIBUTES}` };

/** What a request's headers say about the page that sent it. */
export interface PageFacts {
  /** Whether a page of this origin, or the address bar, sent the request; undefined if the browser does not say. */
  isOwn: boolean | undefined;
  /** The method changes nothing. */
  isSafe: boolean;
  /** The browser stores a cookie of the response: the request used HTTPS or a loopback name. */
  keepsCookies: boolean;
}

/** Reads Fetch Metadata, or `Origin` in older browsers. `X-Forwarded-Proto` and `-Host` count behind trusted proxies. */
export function readPageFacts(ctx: Context): PageFacts {
  const isSafe = ctx.method === 'GET' || ctx.method === 'HEAD';
  return { isOwn: isOwnPage(ctx, isSafe), isSafe, keepsCookies: ctx.secure || isLoopback(ctx.hostname) };
}

/**
 * Returns the value of a cookie that this service set. Safari drops `Secure` cookies over plain HTTP even at loopback
 * addresses, so cookies there have neither this attribute nor the prefix that requires it.
 */
export function readCookie(ctx: Context, name: string): string | undefined {
  const sent = ctx.secure ? name : name.replace(PREFIX, '');
  // Koa's own function keeps every name in memory, and some names come from clients.
  const pair = ctx
    .get('Cookie')
    .split('; ')
    .find((one) => one.startsWith(`${sent}=`));
  return pair?.slice(sent.length + 1);
}

/** Sets the cookies of a response, in the form that `readCookie` reads. */
export function setCookies(ctx: Context, cookies: string | string[]): void {
  const plain = (cookie: string) => cookie.replace(PREFIX, '').replace(' Secure;', '');
  ctx.set('Set-Cookie', ctx.secure ? [cookies].flat() : [cookies].flat().map(plain));
}

function isOwnPage(ctx: Context, isSafe: boolean): boolean | undefined {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin' || (site === 'none' && isSafe);
  const origin = ctx.get('Origin');
  return origin === '' ? undefined : origin === URL.parse(`${ctx.protocol}://${ctx.host}`)?.origin;
}
