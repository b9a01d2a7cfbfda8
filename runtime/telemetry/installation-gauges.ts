/** Gauges of the whole installation, which every process reads from the database: take the maximum over processes. */
import { Gauge, type Registry } from 'prom-client';
import type { FreeBytes } from '../process/free-bytes.ts';

interface UnfinishedSessions {
  status: string;
  count: number;
  /** Age in seconds of the oldest queued session. */
  oldest_s: number;
}

export interface InstallationSources {
  /** Returns an entry for each status, even without sessions. */
  findUnfinished: () => Promise<UnfinishedSessions[]>;
  countWorkers: () => Promise<{ alive: number; silent: number }>;
  findOpenCircuits: () => Promise<{ provider: string; step: string }[]>;
  readFreeBytes?: () => Promise<FreeBytes>;
  /** Returns the number of stuck workflows; undefined if Temporal is down or too old. Only workers count them. */
  countStuck?: () => Promise<number | undefined>;
}

/** Adds the gauges. Returns the function that updates them. Values that can't be read are omitted. */
export function addInstallationGauges(registry: Registry, sources: InstallationSources): () => Promise<void> {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge<L>({ name, help, labelNames, registers: [registry] });
  const sessions = gauge('cas_sessions', 'Unfinished sessions by status, of all processes.', 'status');
  const oldest = gauge('cas_oldest_queued_session_age_seconds', 'Age of the oldest queued session, or 0.');
  const workers = gauge('cas_workers', 'Workers by state, alive or silent, of all processes.', 'state');
  const circuits = gauge(
    'cas_circuit_open',
    '1 for each provider with an open circuit, of all processes.',
    'provider',
    'step',
  );
  const stuck = gauge('cas_stuck_workflows', 'Workflows whose tasks fail, of all processes. NaN: unknown.');
  const free = gauge('cas_free_bytes', 'Free space of the disk of recordings and, if known, of the database.', 'disk');
  return async () => {
    // If the database is down, the other metrics are still served.
    const [unfinished, counts, open, freeBytes, stuckCount] = await Promise.all([
      sources.findUnfinished().catch(() => undefined),
      sources.countWorkers().catch(() => undefined),
      sources.findOpenCircuits().catch(() => undefined),
      sources.readFreeBytes?.(),
      sources.countStuck?.(),
    ]);
    free.reset();
    for (const [disk, bytes] of Object.entries<number | null>({ ...freeBytes }))
      if (bytes !== null) free.set({ disk }, bytes);
    circuits.reset();
    for (const { provider, step } of open ?? []) circuits.set({ provider, step }, 1);
    sessions.reset();
    for (const { status, count } of unfinished ?? []) sessions.set({ status }, count);
    oldest.set(unfinished ? (unfinished.find(({ status }) => status === 'queued')?.oldest_s ?? 0) : NaN);
    stuck.set(stuckCount ?? NaN);
    workers.reset();
    for (const state of ['alive', 'silent'] as const) if (counts) workers.set({ state }, counts[state]);
  };
}
