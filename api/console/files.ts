/** The files of the built console, as `npm run build` leaves them in `console/dist`. */
import { existsSync, globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { CHECKED_EACH_TIME, FOR_EVER, storeOnce } from '../http/documents.ts';
import type { ReadDocument } from '../http/documents.ts';

export const CONSOLE_BASE = '/console/';

/**
 * Nothing inline, nothing from elsewhere, and no string ever becomes a script: the pages show what strangers wrote.
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
};

const FILE_HEADERS = { 'Cross-Origin-Resource-Policy': 'same-origin' };

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export type ConsoleFiles = Map<string, ReadDocument>;

/**
 * Returns what resolves with the files by path, or undefined where the console was never built. After each build the
 * files are listed and read anew: the console may be built while the service runs.
 */
export function followBuilds(directory: string): () => Promise<ConsoleFiles | undefined> {
  let files: ConsoleFiles | undefined;
  let builtAtMs: number | undefined;
  return async () => {
    // A build puts the page in its place last.
    const page = await stat(join(directory, 'index.html')).catch(() => undefined);
    if (page?.mtimeMs !== builtAtMs) {
      builtAtMs = page?.mtimeMs;
      files = page && listFiles(directory);
    }
    return files;
  };
}

/** Returns the files by path, not yet read. */
function listFiles(directory: string): ConsoleFiles {
  const names = globSync(`**/*{${Object.keys(MEDIA_TYPES).join(',')}}`, { cwd: directory });
  return new Map(
    names.map((name) => {
      const path = name.replaceAll('\\', '/');
      return [CONSOLE_BASE + path, storeFile(join(directory, name), path)];
    }),
  );
}

function storeFile(file: string, path: string): ReadDocument {
  const type = MEDIA_TYPES[extname(path)] ?? 'application/octet-stream';
  return storeOnce(
    async () => {
      const [identity, br, gzip] = await Promise.all([
        readFile(file),
        readIfThere(`${file}.br`),
        readIfThere(`${file}.gz`),
      ]);
      return { identity, ...(br && { br }), ...(gzip && { gzip }) };
    },
    {
      type,
      cacheControl: path.startsWith('assets/') ? FOR_EVER : CHECKED_EACH_TIME,
      headers: { ...FILE_HEADERS, ...(type.startsWith('text/html') && PAGE_HEADERS) },
    },
  );
}

const readIfThere = (file: string) => (existsSync(file) ? readFile(file) : undefined);
