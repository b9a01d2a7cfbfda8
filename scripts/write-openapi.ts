/**
 * `npm run openapi`: writes what others build on, docs/openapi.json and the client made of it. With `--check` it writes
 * nothing and fails where what is checked in is not what would be written.
 */
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { toOpenApi } from '../contract/openapi/document.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Written and compared; all else in these places is ours. */
const WRITTEN = ['docs/openapi.json', 'clients/typescript/src'];

/** Lines of a difference that are shown. */
const SHOWN_LINES = 40;

async function write(directory: string): Promise<void> {
  const document = join(directory, 'docs/openapi.json');
  mkdirSync(dirname(document), { recursive: true });
  writeFileSync(document, `${JSON.stringify(toOpenApi(ENDPOINTS), null, 2)}\n`);
  await createClient({
    input: document,
    output: { path: join(directory, 'clients/typescript/src'), module: { extension: '.ts' } },
    plugins: [
      '@hey-api/typescript',
      '@hey-api/sdk',
      { name: '@hey-api/client-fetch', baseUrl: false },
      '@tanstack/react-query',
    ],
    logs: { level: 'silent', file: false },
  });
  for (const file of globSync('clients/typescript/src/{client,core}/*.ts', { cwd: directory }))
    exemptFromChecks(join(directory, file));
}

/**
 * Exempts a generated file from the type checks: the generator's own runtime is written for a laxer compiler than ours.
 * What it makes of the document is checked.
 */
function exemptFromChecks(file: string): void {
  writeFileSync(file, `// @ts-nocheck\n${readFileSync(file, 'utf8')}`);
}

/** Returns the difference as a patch that would mend it; empty where there is none. */
function findDifference(path: string, fresh: string): Promise<string> {
  const args = ['diff', '--no-index', '--no-color', '--unified=1', join(root, path), join(fresh, path)];
  return new Promise((resolve) => {
    execFile('git', args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => resolve(stdout || error?.message || ''));
  });
}

const fresh = mkdtempSync(join(tmpdir(), 'cas-openapi-'));
try {
  await write(fresh);
  if (process.argv.includes('--check')) {
    const differences = (await Promise.all(WRITTEN.map((path) => findDifference(path, fresh)))).join('');
    if (differences !== '') {
      const lines = differences.split('\n').slice(0, SHOWN_LINES);
      process.stderr.write(
        `${lines.join('\n')}\n\nNot what the contract says: ${WRITTEN.join(', ')}. Run: npm run openapi\n`,
      );
      process.exitCode = 1;
    }
  } else {
    for (const path of WRITTEN) {
      rmSync(join(root, path), { recursive: true, force: true });
      cpSync(join(fresh, path), join(root, path), { recursive: true });
      process.stdout.write(`${path}\n`);
    }
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
