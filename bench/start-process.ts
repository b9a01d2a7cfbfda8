/** Processes of a benchmark. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface BenchProcess {
  /** The part of the output that matched `ready`; by default the URL. */
  url: string;
  pid: number;
  /** Stops the process. Default: SIGTERM. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** @param script path relative to this folder. */
export async function startProcess(
  script: string,
  env: Record<string, string>,
  ready = /http:\/\/[\w.]+:\d+/,
): Promise<BenchProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      const found = ready.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`${script} ended: ${output}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
    },
  };
}
