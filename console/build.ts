/** `npm run build:console`: builds the console into console/dist, unless it is current. Runs before starts and tests. */
import '../scripts/write-client.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './is-built.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// A production install has no build tools. It serves the last build; without one, `/console` says how to build it.
if (existsSync(join(ROOT, 'node_modules/vite')) && !isBuilt(ROOT)) {
  console.log('Building the console …');
  const { build } = await import('vite');
  await build({ configFile: join(ROOT, 'console/vite.config.ts'), logLevel: 'warn' });
}
