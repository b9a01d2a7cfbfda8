/** Finds or gets the `temporal` program. Each way that takes time says so. */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { StartError } from '../runtime/process.ts';
import { cacheDir } from './cache-dir.ts';
import { buildGoProgram } from './go-program.ts';
import type { Say } from './go-program.ts';

/** The newest release that `go install` builds; later ones replace modules. */
const GO_MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const DOWNLOAD_TIMEOUT_MS = 60_000;

type Env = Record<string, string | undefined>;

/**
 * Returns the path of the program: `TEMPORAL_CLI_PATH`, or else from the PATH, the project's cache, the SDK's download
 * or a build with Go, whichever comes first. Throws `StartError` if there is none.
 */
export async function findTemporalCli(env: Env, say: Say, signal?: AbortSignal): Promise<string> {
  const given = env['TEMPORAL_CLI_PATH'];
  if (given) {
    if (!existsSync(given)) throw new StartError(`TEMPORAL_CLI_PATH names ${given}, which does not exist.`);
    return given;
  }
  const directory = cacheDir(env);
  const cached = join(directory, 'temporal');
  const existing = findOnPath(env, 'temporal') ?? (existsSync(cached) ? cached : undefined);
  if (existing) return existing;

  say('Temporal: downloading the dev server (once; about 40 MB) …');
  if (await download(directory, cached, signal)) return cached;
  signal?.throwIfAborted();
  say('Temporal: the download is not possible here.');
  const go = findOnPath(env, 'go');
  if (go) {
    say(`Temporal: building ${GO_MODULE} with Go (once; about 4 minutes on two cores) …`);
    const program = { title: 'Temporal', module: GO_MODULE, directory };
    if (await buildGoProgram(program, { go, env, say, signal })) return cached;
    signal?.throwIfAborted();
  }
  throw new StartError(
    [
      'The program "temporal" was not found, could not be downloaded and could not be built.',
      'Do one of these: install it (https://docs.temporal.io/cli) so that it is on the PATH; set TEMPORAL_CLI_PATH;',
      'install Go; or set TEMPORAL_ADDRESS to a Temporal server of your own.',
    ].join('\n'),
  );
}

export function findOnPath(env: Env, program: string): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}

/**
 * Gets the program by the SDK, which downloads it only to start it: that server is stopped and the program kept.
 * Returns false where there is no way out of this machine.
 */
async function download(directory: string, target: string, signal: AbortSignal | undefined): Promise<boolean> {
  const prefix = 'temporal-cli';
  try {
    const starting = TestWorkflowEnvironment.createLocal({
      server: { executable: { type: 'cached-download', downloadDir: directory } },
    });
    const gaveUp = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('the download takes too long')), DOWNLOAD_TIMEOUT_MS).unref();
      signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    });
    await (await Promise.race([starting, gaveUp])).teardown();
  } catch {
    return false;
  }
  const file = readdirSync(directory).find((name) => name.startsWith(prefix));
  if (file === undefined) return false;
  renameSync(join(directory, file), target);
  return true;
}
