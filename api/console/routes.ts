/** Serves the web application at `/console/`, built by `npm run build` into `console/dist`, once for each language. It contains no data. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Middleware } from 'koa';
import { CONSOLE_LANGUAGES, LANGUAGE_COOKIE } from '../../contract/values/constants.ts';
import { IMMUTABLE, respondWithDocument, REVALIDATED, type StaticDocument } from '../http/documents.ts';

const BASE = '/console/';
const DIST = fileURLToPath(new URL('../../console/dist/', import.meta.url));

const NOT_BUILT = 'The console is not built. Run "npm ci && npm run build".\n';

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** No segment starts with a dot, so no name leads out of the directory. */
const FILE_NAME = /^([\w-][\w.-]*\/)*[\w-][\w.-]*$/;

/**
 * Only own files, nothing inline, and no string becomes a script: the pages show texts from strangers.
 * docs/decisions.md, "Console".
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'font-src', 'connect-src', 'media-src'].map((each) => `${each} 'self'`),
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Neither the pages of members nor shared links belong in a search engine.
  'X-Robots-Tag': 'noindex',
};

/** Returns the folder of the page's language: that of the cookie, else the browser's first that the console has. */
function languageOf(ctx: Context): string {
  const stored = ctx.cookies.get(LANGUAGE_COOKIE);
  ctx.vary(['Cookie', 'Accept-Language']);
  return (CONSOLE_LANGUAGES.find((each) => each === stored) ?? ctx.acceptsLanguages(...CONSOLE_LANGUAGES)) || 'en';
}

/** Serves the files in `directory`. Every other path without a dot in its last segment is a page of the application. */
export function consoleRoutes(directory = DIST): Middleware {
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && (ctx.path === '/' || `${ctx.path}/` === BASE)) return ctx.redirect(BASE);
    if (!ctx.path.startsWith(BASE)) return void (await next());
    const path = ctx.path.slice(BASE.length);
    const isPage = !path.slice(path.lastIndexOf('/') + 1).includes('.');
    const document = await readDocument(directory, isPage ? `${languageOf(ctx)}/index.html` : path);
    if (document) return respondWithDocument(ctx, document);
    if (!isPage) return void (await next());
    Object.assign(ctx, { status: 503, body: NOT_BUILT });
  };
}

async function readDocument(directory: string, name: string): Promise<StaticDocument | undefined> {
  const type = MEDIA_TYPES[extname(name)];
  if (type === undefined || !FILE_NAME.test(name)) return undefined;
  const read = (suffix: string) => readFile(join(directory, name + suffix)).catch(() => undefined);
  const [identity, br, gzip] = await Promise.all([read(''), read('.br'), read('.gz')]);
  return (
    identity && {
      type,
      cacheControl: name.includes('/assets/') ? IMMUTABLE : REVALIDATED,
      headers: { 'Cross-Origin-Resource-Policy': 'same-origin', ...(extname(name) === '.html' && PAGE_HEADERS) },
      encoded: { identity, br, gzip },
    }
  );
}
