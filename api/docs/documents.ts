/** What `/api/openapi.json` and `/api/docs` serve: each document is made at its first request and kept. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { API_BASE } from '../../contract/constants.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { describeApi } from '../../contract/openapi/document.ts';

export interface StoredDocument {
  type: string;
  cacheControl: string;
  etag: string;
  bytes: Buffer;
  gzipped: Buffer;
}

const CHECKED_EACH_TIME = 'no-cache';
const FIVE_MINUTES = 'public, max-age=300';
/** For paths that hold a version. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** By path, not yet made. */
export function listDocuments(): Map<string, () => Promise<StoredDocument>> {
  const { directory, version } = findRenderer();
  const own = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');
  const page = async () => (await own('page.html')).replaceAll('{version}', version);
  const renderer = (file: string, type: string) =>
    [
      `${API_BASE}/docs/renderer/${version}/${file}`,
      once(() => readFile(join(directory, file)), type, FOR_EVER),
    ] as const;
  return new Map([
    [
      `${API_BASE}/openapi.json`,
      once(async () => JSON.stringify(describeApi(ENDPOINTS)), 'application/json', FIVE_MINUTES),
    ],
    [`${API_BASE}/docs`, once(page, 'text/html; charset=utf-8', CHECKED_EACH_TIME)],
    [`${API_BASE}/docs/start.js`, once(() => own('start.js'), 'text/javascript; charset=utf-8', CHECKED_EACH_TIME)],
    renderer('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    renderer('swagger-ui.css', 'text/css; charset=utf-8'),
    renderer('favicon-32x32.png', 'image/png'),
  ]);
}

/** It is served from its package, so that the page asks nothing of anybody else's servers. */
function findRenderer(): { directory: string; version: string } {
  const require = createRequire(import.meta.url);
  const file = require.resolve('swagger-ui-dist/package.json');
  return { directory: dirname(file), version: (require(file) as { version: string }).version };
}

function once(make: () => Promise<string | Buffer>, type: string, cacheControl: string) {
  let document: Promise<StoredDocument> | undefined;
  return () => (document ??= store(make, type, cacheControl));
}

async function store(
  make: () => Promise<string | Buffer>,
  type: string,
  cacheControl: string,
): Promise<StoredDocument> {
  const bytes = Buffer.from(await make());
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type, cacheControl, etag, bytes, gzipped: await promisify(gzip)(bytes) };
}
