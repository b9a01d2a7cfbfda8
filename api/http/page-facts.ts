import type { Context } from 'koa';

/** The facts that a request tells of the page that made it. */
export interface PageFacts {
  /** A page of this very origin asked, or the person did by opening an address; undefined where the browser is silent. */
  isOwn: boolean | undefined;
  /** The method changes nothing. */
  isSafe: boolean;
  /** The browser keeps a `Secure` cookie of this answer: it is sent over HTTPS or to a loopback name. */
  keepsSecureCookies: boolean;
}

/**
 * Reads which page asks, from Fetch Metadata, and from `Origin` where a browser does not send it. `X-Forwarded-Proto`
 * and `X-Forwarded-Host` count behind trusted proxies.
 */
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

/** Returns whether browsers take a name or address for the machine itself. */
const isLoopback = (hostname: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
