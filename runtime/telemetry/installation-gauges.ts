/** Gauges of the whole installation, which every process reads from the database: take the maximum over processes. */
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

export interface UnfinishedSessions {
  status: string;
  count: number;
  /** Age in seconds of the session that has been queued longest. */
  oldest_s: number;
}

export interface InstallationSources {
  /** One for each status, also where there is no such session. */
  findUnfinished: () => Promise<UnfinishedSessions[]>;
  countWorkers: () => Promise<{ alive: number; silent: number }>;
  /** Runs that stand still because their tasks fail; undefined: Temporal is away or too old to say. Workers count them. */
  countStuck?: () => Promise<number | undefined>;
}

/** Adds the gauges. Returns the function that reads them anew, which leaves out what can't be read. */
export function addInstallationGauges(registry: Registry, sources: InstallationSources): () => Promise<void> {
  const registers = [registry];
  const sessions = new Gauge({
    name: 'cas_sessions',
    help: 'Sessions that have not ended, by status; of all processes.',
    labelNames: ['status'] as const,
    registers,
  });
  const oldest = new Gauge({
    name: 'cas_oldest_queued_session_age_seconds',
    help: 'Age of the session that is queued longest; 0: none is.',
    registers,
  });
  const workers = new Gauge({
    name: 'cas_workers',
    help: 'Workers of the installation: alive, or silent without having ended; of all processes.',
    labelNames: ['state'] as const,
    registers,
  });
  const stuck = new Gauge({
    name: 'cas_stuck_workflows',
    help: 'Runs that stand still because their workflow tasks fail; of all processes. NaN: not known.',
    registers,
  });
  return async () => {
    // While the database is away, the rest is worth seeing all the more.
    const [unfinished, count, standing] = await Promise.all([
      sources.findUnfinished().catch(() => undefined),
      sources.countWorkers().catch(() => undefined),
      sources.countStuck?.(),
    ]);
    sessions.reset();
    for (const { status, count: number } of unfinished ?? []) sessions.set({ status }, number);
    oldest.set(unfinished ? (unfinished.find(({ status }) => status === 'queued')?.oldest_s ?? 0) : NaN);
    stuck.set(standing ?? NaN);
    workers.reset();
    for (const [state, number] of Object.entries(count ?? {})) workers.set({ state }, number);
  };
}
