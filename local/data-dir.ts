/** Opens the one directory that holds everything a local start keeps. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartError } from '../runtime/process.ts';
import { identifyProcess, readLivePid } from './process-identity.ts';

export interface DataDir {
  path: string;
  /** Kept with the data: without them the data can't be read. */
  secrets: LocalSecrets;
  /** Frees the directory for another start. */
  release(): void;
}

export interface LocalSecrets {
  jwt_secret: string;
  encryption_key: string;
  postgres_password: string;
}

/** Mode of the directory where it is made here: others list nothing in it. Root's PostgreSQL, another user, passes. */
const PRIVATE = process.getuid?.() === 0 ? 0o711 : 0o700;

/** Takes the directory for this process; throws `StartError` if another one has it. */
export function openDataDir(directory: string): DataDir {
  const path = resolve(directory);
  mkdirSync(join(path, 'run'), { recursive: true, mode: PRIVATE });
  const lock = join(path, 'run', 'service.pid');
  takeLock(lock, path);
  return {
    path,
    secrets: readOrCreateSecrets(join(path, 'secrets.json')),
    release: () => rmSync(lock, { force: true }),
  };
}

function takeLock(lock: string, path: string): void {
  const holder = readLivePid(lock);
  if (holder !== undefined) {
    throw new StartError(
      `The service already runs on ${path} (process ${holder}). Use it (see endpoints.json there), stop it, or choose another DATA_DIR.`,
    );
  }
  rmSync(lock, { force: true });
  try {
    writeFileSync(lock, identifyProcess(process.pid) ?? '', { flag: 'wx' });
  } catch {
    throw new StartError(`Another start on ${path} is under way.`);
  }
}

/** Returns the secrets of a data directory; undefined where it has none. Throws `StartError` where they can't be read. */
export function readSecrets(file: string): LocalSecrets | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalSecrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`${file} can't be read. Restore it: without it the stored webhook secrets are lost.`);
  }
}

function readOrCreateSecrets(file: string): LocalSecrets {
  const kept = readSecrets(file);
  if (kept) return kept;
  const secrets: LocalSecrets = {
    jwt_secret: randomBytes(32).toString('base64url'),
    encryption_key: randomBytes(32).toString('base64'),
    postgres_password: randomBytes(24).toString('base64url'),
  };
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
}
