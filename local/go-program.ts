/** Builds a program from a Go module. */
import { spawn } from 'node:child_process';
import type { Say } from './fetch-once.ts';

export interface GoProgram {
  /** Prefix of each reported line. */
  title: string;
  /** Path and version of the package. */
  module: string;
  /** Target folder. The program has the name of the last part of the package path. */
  directory: string;
}

export interface GoBuild {
  /** The `go` command. */
  go: string;
  env: Record<string, string | undefined>;
  say: Say;
  signal?: AbortSignal | undefined;
}

/** Returns whether the program was built. Reports the duration, or why the build failed. */
export async function buildGoProgram({ title, module, directory }: GoProgram, build: GoBuild): Promise<boolean> {
  const { go, env, say, signal } = build;
  const started = Date.now();
  const child = spawn(go, ['install', module], {
    env: { ...env, GOBIN: directory },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const code = await new Promise((resolve) => child.once('error', () => resolve(-1)).once('exit', resolve));
  if (code === 0) say(`${title}: built in ${Math.round((Date.now() - started) / 1_000)} s.`);
  else say(`${title}: the build failed: ${errors.trim().split('\n').slice(-3).join(' ')}`);
  return code === 0;
}
