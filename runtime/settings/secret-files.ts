/** Reads the values of settings: trimmed, and secrets also from files, as Docker and Kubernetes mount them. */
import { readFileSync } from 'node:fs';
import { EnvironmentSchema, type Environment } from './environment.ts';

const SUFFIX = '_FILE';

/** Secrets that libraries read from the environment. */
const LIBRARY_SECRETS = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS'];

/** The settings that are secrets. */
export const SECRETS = Object.entries(EnvironmentSchema.shape).flatMap(([name, schema]) =>
  schema.meta()?.['secret'] === true ? [name] : [],
);

/** First words of the names of secrets, such as OIDC: a `_FILE` behind one that names no secret is a mistake. */
const FAMILIES = new Set([...SECRETS, ...Object.keys(EnvironmentSchema.shape)].map((name) => name.split('_')[0]));

interface SecretFiles {
  env: Environment;
  /** Sentences that name variables which can't be used, without values. */
  problems: string[];
}

/**
 * Returns the environment with trimmed values and the content of each file in `<SECRET>_FILE`. Omits empty variables: Compose files
 * and `.env` set unset ones to the empty string.
 */
export function readSecretFiles(env: Environment): SecretFiles {
  const read: Environment = { ...env };
  const problems: string[] = [];
  for (const [variable, path] of Object.entries(env)) {
    if (!path || !variable.endsWith(SUFFIX) || variable in EnvironmentSchema.shape) continue;
    const name = variable.slice(0, -SUFFIX.length);
    if (LIBRARY_SECRETS.includes(name)) continue;
    if (SECRETS.includes(name)) {
      if (env[name]) problems.push(`${name} and ${variable} must not both be set`);
      read[name] = readSecret(variable, path, problems);
    } else if (name in EnvironmentSchema.shape) problems.push(`${variable} is not supported: set ${name} itself`);
    else if (FAMILIES.has(name.split('_')[0] ?? ''))
      problems.push(`${variable} is unknown: there is no secret ${name}`);
  }
  for (const name of Object.keys(EnvironmentSchema.shape)) read[name] = clean(name, read[name], problems);
  return { env: Object.fromEntries(Object.entries(read).filter(([, value]) => value)), problems };
}

const CONTROL = /\p{Cc}/u;

const QUOTED = /^(["']).*\1$/;
const KEEPS_QUOTES = '`docker run --env-file` and Kubernetes pass them as a part of the value';

/** Returns the value without a byte order mark and without blanks around it. */
function clean(name: string, value: string | undefined, problems: string[]): string | undefined {
  const trimmed = value?.replace(/^\uFEFF/, '').trim();
  if (trimmed !== undefined && CONTROL.test(trimmed)) problems.push(`${name} must not contain control characters`);
  if (trimmed !== undefined && QUOTED.test(trimmed)) problems.push(`${name} must not be in quotes: ${KEEPS_QUOTES}`);
  return trimmed;
}

function readSecret(variable: string, path: string, problems: string[]): string | undefined {
  try {
    return readFileSync(path.trim(), 'utf8');
  } catch (error) {
    problems.push(`${variable} can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    return undefined;
  }
}

/** Puts the secrets of libraries into the environment, trimmed, also from their files. Returns sentences that name unusable ones. */
export function loadLibrarySecrets(env: Environment): string[] {
  const problems: string[] = [];
  for (const name of LIBRARY_SECRETS) {
    const path = env[name + SUFFIX];
    // A process started by another one gets both: the value and the path from which it was read.
    const given = path && !env[name] ? readSecret(name + SUFFIX, path, problems) : env[name];
    const value = clean(name, given, problems);
    if (value !== undefined) env[name] = value;
  }
  return problems;
}
