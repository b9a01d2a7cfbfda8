/** One process of the installation, as a fault or an operator treats it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess } from '../../local/process-identity.ts';
import type { Supervised } from '../../local/supervise.ts';

export interface Part {
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** Ends it as an operator does. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Has it stand still, as a machine that is swapped out. */
  freeze(): void;
  thaw(): void;
}

const DEATH_POLL_MS = 20;

/** @param launch starts it and resolves when it is ready. */
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
