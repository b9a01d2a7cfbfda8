/** Reports regularly that this worker is alive, so a worker that hangs or was killed is detected within 30 s. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { WorkerModel, type ReportedCircuit } from '../db/models/worker.ts';
import type { Log } from '../runtime/telemetry/log.ts';

const REPORT_EVERY_MS = 5_000;

interface AliveReports {
  /** Stops the reports and removes the worker's row. */
  stop(): Promise<void>;
}

interface AliveDeps {
  buildId: string | undefined;
  findOpenCircuits: () => ReportedCircuit[];
  log: Log;
}

/** Reports once before it returns, and then every 5 s. Logs reports that can't be stored. */
export async function reportAlive({ buildId, findOpenCircuits, log }: AliveDeps): Promise<AliveReports> {
  const worker = { id: randomUUID(), host: hostname(), build_id: buildId ?? null };
  const stopping = new AbortController();
  const report = () =>
    WorkerModel.report({ ...worker, circuits: findOpenCircuits() }).catch((err: unknown) =>
      log.warn({ err }, 'could not report that the worker is alive'),
    );

  async function keepReporting(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) await sleep(REPORT_EVERY_MS, undefined, { signal }).then(report, () => undefined);
  }

  await report();
  const reporting = keepReporting();
  return {
    async stop() {
      stopping.abort();
      await reporting;
      await WorkerModel.query()
        .deleteById(worker.id)
        .catch((err: unknown) => log.warn({ err }, 'could not remove the row of this worker'));
    },
  };
}
