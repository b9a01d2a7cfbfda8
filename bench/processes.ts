/** Node processes of the benchmark: started with a fresh environment, found by what they print, measured, ended. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What `npm start` runs a program with. */
const LAUNCHER = script('../runtime/run-node.sh');

export interface MeasuredProcess {
  /** What it printed when it was ready; by default its URL. */
  url: string;
  /** Returns the resident memory, in MB. */
  residentMb(): number;
  stop(): Promise<void>;
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>;
}

export async function startProcess(
  path: string,
  env: Record<string, string>,
  ready = /http:\/\/[\w.]+:\d+/,
): Promise<MeasuredProcess> {
  const child = spawn('sh', [LAUNCHER, path], {
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: process.env['HOME'], ...env },
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
    void exited.then(() => reject(new Error(`${path} ended: ${output}`)));
  });
  return {
    url,
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Milliseconds between two looks at the memory. */
const SAMPLE_MS = 20;

/** Watches the processes; `stop` returns the most memory that each of them held, in MB. */
export function watchPeaks(processes: readonly MeasuredProcess[]) {
  const peaks = processes.map(() => 0);
  const look = () =>
    processes.forEach((each, index) => (peaks[index] = Math.max(peaks[index] ?? 0, each.residentMb())));
  const timer = setInterval(look, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return peaks;
    },
  };
}
