/** Gets Schemathesis, which is a Python program, into an environment of its own in the project's cache. */
import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../local/cache-dir.ts';
import type { Say } from '../../local/temporal-cli.ts';
import { StartError } from '../../runtime/process.ts';

const VERSION = '4.32.5';
const INSTALL_TIMEOUT_MS = 300_000;

const run = promisify(execFile);

/** Path of the program; made first where it is missing. */
export async function findSchemathesis(env: Record<string, string | undefined>, say: Say): Promise<string> {
  const directory = join(cacheDir(env), `schemathesis-${VERSION}`);
  const complete = join(directory, 'complete');
  if (!existsSync(complete)) {
    rmSync(directory, { recursive: true, force: true });
    say(`Schemathesis ${VERSION}: making a Python environment in ${directory} (once) …`);
    await runOrExplain('python3', ['-m', 'venv', directory]);
    say(`Schemathesis ${VERSION}: installing from PyPI (once; a minute or less) …`);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`];
    await runOrExplain(join(directory, 'bin', 'python'), pip);
    writeFileSync(complete, '');
  }
  return join(directory, 'bin', 'schemathesis');
}

async function runOrExplain(program: string, args: string[]): Promise<void> {
  try {
    await run(program, args, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new StartError(
      `Schemathesis ${VERSION} needs Python 3.10 or newer with venv, and PyPI.\n${stderr.trim() || message}`,
    );
  }
}
