/** The faults that the test causes in an installation under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import type { Part } from './part.ts';

export interface Fault {
  /** Name for `--only`. */
  name: string;
  title: string;
  /** Causes the fault. Resolves when the fault is over. */
  run(installation: Installation, lastsMs: number): Promise<void>;
}

/** Time until a killed process that has a second instance is started again. */
const RESTART_MS = 5_000;

export const FAULTS: Fault[] = [
  { name: 'none', title: 'no fault', run: (_, lastsMs) => sleep(lastsMs) },
  {
    name: 'kill-worker',
    title: 'kill -9 of a worker, back after 5 s',
    run: ({ workers: [worker] }) => killFor(worker as Part, RESTART_MS),
  },
  {
    name: 'kill-api',
    title: 'kill -9 of an API, back after 5 s',
    run: ({ apis: [api] }) => killFor(api as Part, RESTART_MS),
  },
  {
    name: 'kill-temporal',
    title: 'kill -9 of Temporal, back after {s} s',
    run: ({ temporal }, lastsMs) => killFor(temporal, lastsMs),
  },
  {
    name: 'kill-postgres',
    title: 'kill -9 of PostgreSQL, back after {s} s',
    run: ({ postgres }, lastsMs) => killFor(postgres, lastsMs),
  },
  {
    name: 'freeze-worker',
    title: 'a worker is frozen (SIGSTOP) for {s} s',
    async run({ workers: [worker] }, lastsMs) {
      worker?.freeze();
      await sleep(lastsMs);
      worker?.thaw();
    },
  },
  {
    name: 'restart-postgres',
    title: 'PostgreSQL restarted gracefully',
    async run({ postgres }) {
      await postgres.stop();
      await postgres.start();
    },
  },
  { name: 'rolling-restart', title: 'workers and APIs restarted in turn', run: restartInTurn },
  {
    name: 's3-away',
    title: 'the store of recordings is down for {s} s',
    async run({ s3 }, lastsMs) {
      await s3.refuse();
      await sleep(lastsMs);
      await s3.pass();
    },
  },
  {
    name: 'providers-away',
    title: 'all providers return 503 for {s} s',
    async run({ providers }, lastsMs) {
      providers.isAway = true;
      await sleep(lastsMs);
      providers.isAway = false;
    },
  },
  { name: 'power-cut', title: 'power cut: all processes killed, back after 10 s', run: cutPower },
];

async function killFor(part: Part, ms: number): Promise<void> {
  await part.kill();
  await sleep(ms);
  await part.start();
}

async function restartInTurn({ workers, apis }: Installation): Promise<void> {
  for (const part of [...workers, ...apis]) {
    await part.stop();
    await part.start();
  }
}

const POWER_CUT_MS = 10_000;

/** Kills all processes and starts them together: each waits for the ones that it needs. */
async function cutPower({ postgres, temporal, workers, apis }: Installation): Promise<void> {
  const parts = [...apis, ...workers, temporal, postgres];
  await Promise.all(parts.map((part) => part.kill()));
  await sleep(POWER_CUT_MS);
  // First, because Temporal exits if its database does not respond. In production, a supervisor would restart it.
  await postgres.start();
  await Promise.all([temporal, ...workers, ...apis].map((part) => part.start()));
}
