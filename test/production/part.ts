/** Starts, stops, kills and freezes one process of the installation. */
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess } from '../../local/process-identity.ts';
import type { Supervised } from '../../local/supervise.ts';

export interface Part {
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** Stops the process gracefully. */
  stop(): Promise<void>;
  /** Kills the process, like a crash. */
  kill(): Promise<void>;
  /** Suspends the process, like a machine that hangs. */
  freeze(): void;
  thaw(): void;
}

const DEATH_POLL_MS = 20;

/** @param launch starts the process and resolves when it is ready. */
export function createPart(launch: () => Promise<Supervised>): Part {
  let running: Supervised | undefined;
  const signal = (name: NodeJS.Signals) => {
    const pid = running?.pid();
    if (pid !== undefined) process.kill(pid, name);
    return pid;
  };
  return {
    async start() {
      running = await launch();
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async kill() {
      const pid = signal('SIGKILL');
      while (pid !== undefined && identifyProcess(pid) !== undefined) await sleep(DEATH_POLL_MS);
    },
    freeze: () => void signal('SIGSTOP'),
    thaw: () => void signal('SIGCONT'),
  };
}
