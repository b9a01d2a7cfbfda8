/** A clean clone of the project, and the commands that run in it against the Docker engine of this machine. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../runtime/process/process.ts';
import { eventually } from '../support/eventually.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The classic builder reaches the registry of packages only as the host does. */
const CLASSIC_BUILD = `
services:
${['migrate', 'api', 'worker', 'release'].map((name) => `  ${name}: { build: { context: ., network: host } }`).join('\n')}
`;

export interface Engine {
  /** Contains the clone and everything that the test writes. */
  directory: string;
  /** The clone. */
  folder: string;
  /** Name of the Compose project, which differs from that of a real installation. */
  project: string;
  /** The engine's own address, which containers can reach. */
  hostAddress: string;
  /** Runs a shell script in the clone and returns its output. Throws with the output if it fails. */
  sh(script: string): Promise<string>;
  /** Runs a program in the first container of a service. */
  exec(service: string, ...args: string[]): Promise<string>;
  /** File with the output of all scripts. */
  log: string;
}

/** Throws a `StartError` that says what is missing if the engine cannot run the test. */
export function openEngine(project: string): Engine {
  // Some engines report only the subnet. Its first address is the engine's.
  const format = '{{with index .IPAM.Config 0}}{{or .Gateway .Subnet}}{{end}}';
  const address = probe('a running Docker engine', ['network', 'inspect', 'bridge', '--format', format]);
  const hostAddress = address.replace(/\.0\/\d+$/, '.1');
  probe('Docker Compose 2.24', ['compose', 'version']);
  const directory = mkdtempSync(join(tmpdir(), 'cas-compose-'));
  const folder = join(directory, 'clone');
  execFileSync('git', ['clone', '--quiet', ROOT, folder], { stdio: 'pipe' });
  const log = join(directory, 'commands.log');
  const env: NodeJS.ProcessEnv = { ...process.env, COMPOSE_PROJECT_NAME: project, COMPOSE_ANSI: 'never' };
  if (!hasBuildx()) {
    writeFileSync(join(directory, 'override.yml'), CLASSIC_BUILD);
    Object.assign(env, { DOCKER_BUILDKIT: '0', COMPOSE_FILE: 'docker-compose.yml:../override.yml' });
  }

  async function sh(script: string): Promise<string> {
    appendFileSync(log, `\n$ ${script}\n`);
    const child = spawn('sh', ['-euc', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const write = (chunk: Buffer) => appendFileSync(log, chunk);
    child.stdout.on('data', write);
    child.stderr.on('data', write);
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    if (child.exitCode !== 0) throw new Error(`${script.trim()}\n${(output + errors).slice(-2_000)}`);
    return output;
  }

  const quote = (argument: string) => `'${argument.replaceAll("'", String.raw`'\''`)}'`;
  const exec = (service: string, ...args: string[]) =>
    sh(`docker compose exec -T ${service} ${args.map(quote).join(' ')}`);
  return { directory, folder, project, hostAddress, sh, exec, log };
}

/** Returns the output of a command of Docker. */
function probe(what: string, args: string[]): string {
  try {
    return execFileSync('docker', args, { stdio: 'pipe', encoding: 'utf8' }).trim();
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string; stderr?: string };
    const reason = code === 'ENOENT' ? '`docker` is not on the PATH' : stderr.trim().split('\n')[0];
    throw new StartError(`npm run test:compose needs ${what}: ${reason}.`);
  }
}

function hasBuildx(): boolean {
  try {
    execFileSync('docker', ['buildx', 'version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** Sets values in the `.env` of the clone. */
export function setSettings({ folder }: Engine, settings: Record<string, string>): void {
  const path = join(folder, '.env');
  const names = Object.keys(settings);
  const kept = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !names.some((name) => line.startsWith(`${name}=`)));
  writeFileSync(path, [...kept, ...names.map((name) => `${name}=${settings[name]}`), ''].join('\n'));
}

/** Returns a value in the `.env` of the clone. */
export const readSetting = ({ folder }: Engine, name: string) =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1] ?? '';

const HEALTHY_MS = 240_000;

/** Waits until every container with a health check is healthy. */
export async function untilHealthy({ sh }: Engine): Promise<void> {
  const read = () => sh(`docker compose ps --format '{{.Service}} {{.Health}}'`);
  const isHealthy = (list: string) => !/(starting|unhealthy)$/m.test(list);
  await eventually(read, isHealthy, HEALTHY_MS, 2_000);
}
