/** What `/api/openapi.json` and `/api/docs` serve. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { API_BASE } from '../../contract/constants.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { toOpenApi } from '../../contract/openapi/document.ts';
import { CHECKED_EACH_TIME, FOR_EVER, storeOnce } from '../http/documents.ts';
import type { ReadDocument } from '../http/documents.ts';

const FIVE_MINUTES = 'public, max-age=300';

/** Only what this service serves itself; the renderer sets styles on its elements. */
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

/** Returns the documents by path, not yet made. */
export function listDocuments(): Map<string, ReadDocument> {
  const { directory, version } = findRenderer();
  const own = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');
  const page = async () => (await own('page.html')).replaceAll('{version}', version);
  const html = { type: 'text/html; charset=utf-8', headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } };
  const renderer = (file: string, type: string) =>
    [
      `${API_BASE}/docs/renderer/${version}/${file}`,
      zipped(() => readFile(join(directory, file)), { type, cacheControl: FOR_EVER }),
    ] as const;
  const script = { type: 'text/javascript; charset=utf-8', cacheControl: CHECKED_EACH_TIME };
  return new Map([
    [
      `${API_BASE}/openapi.json`,
      zipped(async () => JSON.stringify(toOpenApi(ENDPOINTS)), {
        type: 'application/json',
        cacheControl: FIVE_MINUTES,
      }),
    ],
    [`${API_BASE}/docs`, zipped(page, { ...html, cacheControl: CHECKED_EACH_TIME })],
    [`${API_BASE}/docs/start.js`, zipped(() => own('start.js'), script)],
    renderer('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    renderer('swagger-ui.css', 'text/css; charset=utf-8'),
    renderer('favicon-32x32.png', 'image/png'),
  ]);
}

/** Finds the renderer, which is served from its package so that the page asks nothing of anybody else's servers. */
function findRenderer(): { directory: string; version: string } {
  const require = createRequire(import.meta.url);
  const file = require.resolve('swagger-ui-dist/package.json');
  return { directory: dirname(file), version: (require(file) as { version: string }).version };
}

function zipped(make: () => Promise<string | Buffer>, facts: Parameters<typeof storeOnce>[1]): ReadDocument {
  return storeOnce(async () => {
    const identity = Buffer.from(await make());
    return { identity, gzip: await promisify(gzip)(identity) };
  }, facts);
}
