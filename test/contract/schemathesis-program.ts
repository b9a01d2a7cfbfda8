import { join } from 'node:path';
import { findPythonPackage } from '../../local/python-program.ts';
import type { Say } from '../../local/fetch-once.ts';

const SCHEMATHESIS = { name: 'schemathesis', version: '4.32.5' };

/** Returns the path of the program. Installs it if necessary. */
export async function findSchemathesis(env: Record<string, string | undefined>, say: Say): Promise<string> {
  return join(await findPythonPackage(SCHEMATHESIS, env, say), 'bin', 'schemathesis');
}
