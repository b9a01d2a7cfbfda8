/** Reads secrets from files, as Docker and Kubernetes mount them. Other processes can often see environment variables. */
import { readFileSync } from 'node:fs';
import type { Environment } from './environment.ts';

const SECRETS = /^(?:DATABASE_URL|DATABASE_PASSWORD|JWT_SECRETS|ENCRYPTION_KEYS|\w+_API_KEY)$/;
const SUFFIX = '_FILE';

interface SecretFiles {
  env: Environment;
  /** Sentences that name unreadable variables, without values. */
  problems: string[];
}

/**
 * Returns the environment with the content of each file in `<SECRET>_FILE`, without the final newline. Omits empty variables:
 * Compose files and `.env` set unset ones to the empty string.
 */
export function readSecretFiles(env: Environment): SecretFiles {
  const read: Environment = { ...env };
  const problems: string[] = [];
  for (const [variable, path] of Object.entries(env)) {
    const name = variable.slice(0, -SUFFIX.length);
    if (!path || !variable.endsWith(SUFFIX) || !SECRETS.test(name)) continue;
    if (env[name]) problems.push(`${name} and ${variable} must not both be set`);
    try {
      read[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      problems.push(`${variable} can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }
  return { env: Object.fromEntries(Object.entries(read).filter(([, value]) => value !== '')), problems };
}
