/** Finds, downloads or builds the `temporal` program. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { StartError } from '../runtime/process/process.ts';
import { cacheDir, fetchOnce, type Say } from './fetch-once.ts';

/** The newest release that `go install` can build. Later releases use `replace` directives. */
const GO_MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const DOWNLOAD_TIMEOUT_MS = 60_000;

type Env = Record<string, string | undefined>;

/**
 * Returns the path of the program: `TEMPORAL_CLI_PATH`, otherwise the first that exists of the PATH, the project's cache, the
 * SDK's download, and a build with Go. Throws `StartError` if there is none.
 */
export async function findTemporalCli(env: Env, say: Say, signal?: AbortSignal): Promise<string> {
  const given = env['TEMPORAL_CLI_PATH'];
  if (given) {
    if (!existsSync(given)) throw new StartError(`TEMPORAL_CLI_PATH is set to ${given}, which does not exist.`);
    return given;
  }
  const existing = findOnPath(env, 'temporal');
  if (existing) return existing;
  return fetchOnce(join(cacheDir(env), 'temporal'), (folder) => fetchCli(folder, { env, say, signal }));
}

interface Fetch {
  env: Env;
  say: Say;
  signal: AbortSignal | undefined;
}

/** Downloads the program to the folder or builds it there. Returns its path. */
async function fetchCli(folder: string, { env, say, signal }: Fetch): Promise<string> {
  say('Temporal: downloading the dev server (once; about 40 MB) …');
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const start = () =>
    TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'cached-download', downloadDir: folder } } });
  const downloaded = await downloadBySdk(folder, start, signal);
  if (downloaded !== undefined) return downloaded;
  signal?.throwIfAborted();
  const go = findOnPath(env, 'go');
  if (go) {
    say(`Temporal: the download failed; building ${GO_MODULE} with Go (once; about 4 minutes on two cores) …`);
    try {
      await promisify(execFile)(go, ['install', GO_MODULE], { env: { ...env, GOBIN: folder }, signal });
      return join(folder, 'temporal');
    } catch (error) {
      signal?.throwIfAborted();
      const { stderr = '' } = error as { stderr?: string };
      say(`Temporal: the build failed: ${stderr.trim().split('\n').slice(-3).join(' ')}`);
    }
  }
  throw new StartError(
    [
      'The program "temporal" was not found and could not be downloaded or built.',
      'Do one of these: install it on the PATH (https://docs.temporal.io/cli); set TEMPORAL_CLI_PATH to its path;',
      'install Go; or set TEMPORAL_ADDRESS to your own Temporal server.',
    ].join('\n'),
  );
}

export function findOnPath(env: Env, program: string): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}

/**
 * Returns the path of a server that the SDK downloaded to the folder, or undefined if the download failed. The SDK downloads a
 * server only when it starts one, so `start` starts the server and this function stops it.
 */
export async function downloadBySdk(
  folder: string,
  start: () => Promise<TestWorkflowEnvironment>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const stopped = Promise.withResolvers<never>();
  const timer = setTimeout(() => stopped.reject(new Error('the download took too long')), DOWNLOAD_TIMEOUT_MS);
  signal?.addEventListener('abort', () => stopped.reject(new Error('stopped')), { once: true });
  try {
    await (await Promise.race([start(), stopped.promise])).teardown();
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
  const file = readdirSync(folder)[0];
  return file && join(folder, file);
}
