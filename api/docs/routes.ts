/** Serves `/api/openapi.json` and its page `/api/docs`, without authentication. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import { API_BASE } from '../../contract/values/constants.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { toOpenApi } from '../../contract/openapi/document.ts';
import { IMMUTABLE, respondWithDocument, REVALIDATED, type StaticDocument } from '../http/documents.ts';

/** Allows only what this service serves. The renderer sets styles on its elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SCRIPT = 'text/javascript; charset=utf-8';

export function docsRoutes(): Middleware {
  const { directory, version } = findRenderer();
  const own = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');
  const page = async () => (await own('page.html')).replaceAll('{version}', version);
  const html = { type: 'text/html; charset=utf-8', headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } };
  const json = { type: 'application/json', cacheControl: 'public, max-age=300' };
  const renderer = (file: string, type: string) => {
    const read = document({ type, cacheControl: IMMUTABLE }, () => readFile(join(directory, file)));
    return [`${API_BASE}/docs/renderer/${version}/${file}`, read] as const;
  };
  const documents = new Map([
    [`${API_BASE}/openapi.json`, document(json, async () => JSON.stringify(toOpenApi(ENDPOINTS)))],
    [`${API_BASE}/docs`, document({ ...html, cacheControl: REVALIDATED }, page)],
    [`${API_BASE}/docs/start.js`, document({ type: SCRIPT, cacheControl: REVALIDATED }, () => own('start.js'))],
    renderer('swagger-ui-bundle.js', SCRIPT),
    renderer('swagger-ui.css', 'text/css; charset=utf-8'),
    renderer('favicon-32x32.png', 'image/png'),
  ]);
  return async (ctx, next) => {
    const read = documents.get(ctx.path);
    if (read) respondWithDocument(ctx, await read());
    else await next();
  };
}

/** Returns the directory of the installed renderer, which this service serves itself. */
function findRenderer(): { directory: string; version: string } {
  const require = createRequire(import.meta.url);
  const file = require.resolve('swagger-ui-dist/package.json');
  return { directory: dirname(file), version: (require(file) as { version: string }).version };
}

/** Returns a function that builds the document at its first call and keeps it. */
function document(facts: Omit<StaticDocument, 'encoded'>, build: () => Promise<string | Buffer>) {
  let built: Promise<StaticDocument> | undefined;
  async function encode(): Promise<StaticDocument> {
    const identity = Buffer.from(await build());
    return { ...facts, encoded: { identity, gzip: await promisify(gzip)(identity) } };
  }
  return () => (built ??= encode());
}
