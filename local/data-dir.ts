/** Opens the data directory of `npm start`. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../runtime/process/process.ts';
import type { Environment } from '../runtime/settings/environment.ts';
import { identifyProcess, readLivePid } from './process-identity.ts';

interface DataDir {
  path: string;
  /** Stored with the data, because the data can't be read without them. */
  secrets: LocalSecrets;
  /** Unlocks the directory. */
  release(): void;
}

interface LocalSecrets {
  jwt_secret: string;
  encryption_key: string;
  postgres_password: string;
}

/** Mode of a new directory. Other users can't list it. If this user is root, PostgreSQL's user can still enter it. */
const PRIVATE = process.getuid?.() === 0 ? 0o711 : 0o700;

/** Locks the directory for this process. Throws `StartError` if it can't be written, or another process uses it. */
export function openDataDir(directory: string): DataDir {
  const path = resolve(directory);
  const lock = join(path, 'run', 'service.pid');
  takeLock(lock, path);
  const release = () => rmSync(lock, { force: true });
  try {
    const file = join(path, 'secrets.json');
    return { path, secrets: existsSync(file) ? readSecrets(file) : createSecrets(file), release };
  } catch (error) {
    release();
    throw error;
  }
}

function takeLock(lock: string, path: string): void {
  const holder = readLivePid(lock);
  if (holder !== undefined) {
    throw new StartError(
      `The service already runs on ${path} (process ${holder}). Use that service (see endpoints.json in this folder), stop it, or choose another DATA_DIR.`,
    );
  }
  try {
    mkdirSync(dirname(lock), { recursive: true, mode: PRIVATE });
    rmSync(lock, { force: true });
    writeFileSync(lock, identifyProcess(process.pid) ?? '', { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'EEXIST'
        ? `Another process is starting with ${path}.`
        : `DATA_DIR can't be used: ${message}. Set it to a folder that this user may write to.`,
    );
  }
}

function readSecrets(file: string): LocalSecrets {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalSecrets;
  } catch {
    throw new StartError(`${file} can't be read. Restore the file: without it, the stored webhook secrets are lost.`);
  }
}

function createSecrets(file: string): LocalSecrets {
  const secrets: LocalSecrets = {
    jwt_secret: randomBytes(32).toString('base64url'),
    encryption_key: randomBytes(32).toString('base64'),
    postgres_password: randomBytes(24).toString('base64url'),
  };
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
}

/** Returns the settings that the data directory provides. Settings in the environment take precedence. */
export const settingsOf = ({ path, secrets }: DataDir, env: Environment): Environment => ({
  ...(!env['JWT_SECRETS'] && { JWT_SECRETS: secrets.jwt_secret }),
  ...(!env['ENCRYPTION_KEYS'] && { ENCRYPTION_KEYS: secrets.encryption_key }),
  AUDIO_STORE: join(path, 'audio'),
});
