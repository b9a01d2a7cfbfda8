/** `npm run build:console`: builds the console into console/dist, unless it is current. Runs before starts and tests. */
import '../scripts/write-client.ts';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_LANGUAGES } from '../contract/values/constants.ts';
import { isBuilt } from './is-built.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// A production install has no build tools. It serves the last build; without one, `/console` says how to build it.
if (existsSync(join(ROOT, 'node_modules/vite')) && !isBuilt(ROOT)) {
  console.log('Building the console …');
  const { build } = await import('vite');
  const configFile = join(ROOT, 'console/vite.config.ts');
  // The last file that is written is the one by which `isBuilt` knows that the build is complete.
  await Promise.all(CONSOLE_LANGUAGES.map((mode) => build({ mode, configFile, logLevel: 'warn' })));
  cpSync(join(ROOT, 'console/public'), join(ROOT, 'console/dist'), { recursive: true });
}
