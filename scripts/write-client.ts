/**
 * `npm run client`: generates the TypeScript client from docs/openapi.json and compiles it, unless it is current. Does nothing
 * in a production installation, which has no generator.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCurrent } from './is-current.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = join(ROOT, 'clients/typescript');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const SOURCES = ['package.json', 'tsconfig.json', 'fields', 'uploads'].map((name) => join(CLIENT, name));

async function generate(): Promise<void> {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: DOCUMENT,
    output: { path: join(CLIENT, 'src'), module: { extension: '.ts' } },
    plugins: [
      '@hey-api/typescript',
      '@hey-api/sdk',
      { name: '@hey-api/client-fetch', baseUrl: false, includeInEntry: true },
      '@tanstack/react-query',
    ],
    logs: { level: 'silent', file: false },
  });
}

function compile(): void {
  rmSync(join(CLIENT, 'dist'), { recursive: true, force: true });
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', CLIENT], { stdio: 'inherit' });
}

const hasGenerator = existsSync(join(ROOT, 'node_modules/@hey-api/openapi-ts'));
const ownFiles = [fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json')];
const isBuilt = isCurrent(join(CLIENT, 'dist/src/index.js'), [DOCUMENT, ...SOURCES, ...ownFiles]);
if (hasGenerator && !isBuilt) {
  await generate();
  compile();
}
