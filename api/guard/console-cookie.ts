/** The console's login: a cookie that no script can read and no other site can send. docs/decisions.md, "Logins". */
import type { Context } from 'koa';
import { isLoopback } from '../../runtime/loopback.ts';

/** Browsers accept the prefix only over HTTPS, for the whole host and without a domain. */
export const CONSOLE_COOKIE = '__Host-cas_console';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export const consoleCookie = (secret: string) => ({ 'Set-Cookie': `${CONSOLE_COOKIE}=${secret}; ${ATTRIBUTES}` });

export const clearedConsoleCookie = { 'Set-Cookie': `${CONSOLE_COOKIE}=; Max-Age=0; ${ATTRIBUTES}` };

/** What a request's headers say about the page that sent it. */
export interface PageFacts {
  /** Whether a page of this origin, or the address bar, sent the request; undefined if the browser does not say. */
  isOwn: boolean | undefined;
  /** The method changes nothing. */
  isSafe: boolean;
  /** The browser stores a `Secure` cookie of the response: the request used HTTPS or a loopback name. */
  keepsSecureCookies: boolean;
}

/** Reads Fetch Metadata, or `Origin` in older browsers. `X-Forwarded-Proto` and `-Host` count behind trusted proxies. */
export function readPageFacts(ctx: Context): PageFacts {
  const isSafe = ctx.method === 'GET' || ctx.method === 'HEAD';
  return { isOwn: isOwnPage(ctx, isSafe), isSafe, keepsSecureCookies: ctx.secure || isLoopback(ctx.hostname) };
}

function isOwnPage(ctx: Context, isSafe: boolean): boolean | undefined {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin' || (site === 'none' && isSafe);
  const origin = ctx.get('Origin');
  return origin === '' ? undefined : origin === URL.parse(`${ctx.protocol}://${ctx.host}`)?.origin;
}
