/** Builds a program from a Go module. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Say } from './fetch-once.ts';

interface GoProgram {
  /** Prefix of each reported line. */
  title: string;
  /** Path and version of the package. */
  module: string;
  /** Target folder. The program has the name of the last part of the package path. */
  directory: string;
}

interface GoBuild {
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
  try {
    await promisify(execFile)(go, ['install', module], { env: { ...env, GOBIN: directory }, signal });
    say(`${title}: built in ${Math.round((Date.now() - started) / 1_000)} s.`);
    return true;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    say(`${title}: the build failed: ${stderr.trim().split('\n').slice(-3).join(' ')}`);
    return false;
  }
}
