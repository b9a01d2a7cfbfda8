/** What is done to an installation while it works. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import type { Part } from './part.ts';

export interface Fault {
  /** As `--only` takes it. */
  name: string;
  title: string;
  /** Resolves when the fault is over: what was taken away is back. */
  run(installation: Installation, lastsMs: number): Promise<void>;
}

/** One that is part of an installation, with another of its kind beside it, comes back so soon. */
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
    title: 'a worker frozen (SIGSTOP) for {s} s',
    async run({ workers: [worker] }, lastsMs) {
      worker?.freeze();
      await sleep(lastsMs);
      worker?.thaw();
    },
  },
  {
    name: 'restart-postgres',
    title: 'PostgreSQL restarted in order',
    async run({ postgres }) {
      await postgres.stop();
      await postgres.start();
    },
  },
  { name: 'rolling-restart', title: 'all four restarted in turn', run: restartInTurn },
  {
    name: 's3-away',
    title: 'the store of recordings away for {s} s',
    async run({ s3 }, lastsMs) {
      await s3.refuse();
      await sleep(lastsMs);
      await s3.pass();
    },
  },
  {
    name: 'providers-away',
    title: 'all providers answer 503 for {s} s',
    async run({ providers }, lastsMs) {
      providers.isAway = true;
      await sleep(lastsMs);
      providers.isAway = false;
    },
  },
  { name: 'power-cut', title: 'power cut: all killed at once, back after 10 s', run: cutPower },
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

/** Everything starts at once afterwards: each waits for what it needs. */
async function cutPower({ postgres, temporal, workers, apis }: Installation): Promise<void> {
  const parts = [...apis, ...workers, temporal, postgres];
  await Promise.all(parts.map((part) => part.kill()));
  await sleep(POWER_CUT_MS);
  // Temporal ends where its database does not answer; its supervisor would start it again.
  await postgres.start();
  await Promise.all([temporal, ...workers, ...apis].map((part) => part.start()));
}
