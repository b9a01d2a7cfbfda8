import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../runtime/process/process.ts';
import { cacheDir, type Say } from './fetch-once.ts';

const INSTALL_TIMEOUT_MS = 300_000;

const run = promisify(execFile);

/** Returns the directory of a Python environment that contains the package. Installs it on first use. */
export async function findPythonPackage(
  { name, version }: { name: string; version: string },
  env: Record<string, string | undefined>,
  say: Say,
): Promise<string> {
  const directory = join(cacheDir(env), `${name}-${version}`);
  const complete = join(directory, 'complete');
  if (existsSync(complete)) return directory;
  rmSync(directory, { recursive: true, force: true });
  say(`${name} ${version}: installing from PyPI into ${directory} (once; a minute or less) …`);
  try {
    await run('python3', ['-m', 'venv', directory], { timeout: INSTALL_TIMEOUT_MS });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `${name}==${version}`];
    await run(join(directory, 'bin', 'python'), pip, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new StartError(
      `${name} ${version} needs Python 3.10 or newer with venv, and PyPI.\n${stderr.trim() || message}`,
    );
  }
  writeFileSync(complete, '');
  return directory;
}
