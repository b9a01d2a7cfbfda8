/** Node processes of the benchmark: started with a fresh environment, found by what they print, measured, ended. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface MeasuredProcess {
  /** The first `http://…` it printed. */
  url: string;
  /** Resident memory, in MB. */
  residentMb(): number;
  stop(): Promise<void>;
}

export async function startProcess(script: string, env: Record<string, string>): Promise<MeasuredProcess> {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      const found = /http:\/\/[\w.:]+/.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`${script} ended: ${output}`)));
  });
  return {
    url,
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
