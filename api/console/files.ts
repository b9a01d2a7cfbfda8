/** The files of the built console, as `npm run build` leaves them in `console/dist`. */
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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

/** Returns the files by path, not yet read; undefined where the console was never built. */
export function listConsoleFiles(directory: string): Map<string, ReadDocument> | undefined {
  if (!existsSync(join(directory, 'index.html'))) return undefined;
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
