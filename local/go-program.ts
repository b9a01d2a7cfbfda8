/** Builds programs that are published as Go modules, and says how long it takes. */
import { spawn } from 'node:child_process';

/** Says what a long wait is about. */
export type Say = (line: string) => void;

const PROGRESS_MS = 15_000;

export interface GoProgram {
  /** Begins each line that is said. */
  title: string;
  /** Path and version of the package. */
  module: string;
  /** Where the program goes, under the last part of the package's path. */
  directory: string;
}

export interface GoBuild {
  /** The `go` command. */
  go: string;
  env: Record<string, string | undefined>;
  say: Say;
  signal?: AbortSignal | undefined;
}

/** Returns whether the program was built; if not, the reason is said. */
export async function buildGoProgram({ title, module, directory }: GoProgram, build: GoBuild): Promise<boolean> {
  const { go, env, say, signal } = build;
  const started = Date.now();
  const progress = setInterval(
    () => say(`${title}: still building, ${Math.round((Date.now() - started) / 1_000)} s …`),
    PROGRESS_MS,
  );
  const child = spawn(go, ['install', module], {
    env: { ...env, GOBIN: directory },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const code = await new Promise((resolve) => child.once('error', () => resolve(-1)).once('exit', resolve));
  clearInterval(progress);
  if (code !== 0) say(`${title}: the build failed: ${errors.trim().split('\n').slice(-3).join(' ')}`);
  return code === 0;
}
