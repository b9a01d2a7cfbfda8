/** Says again and again that this worker lives, so that one that hangs or was killed is noticed within half a minute. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { WorkerModel } from '../db/models/worker.ts';
import type { Log } from '../runtime/telemetry/log.ts';

const REPORT_EVERY_MS = 5_000;

export interface AliveReports {
  /** Ends the reports, and says that the worker ends. */
  stop(): Promise<void>;
}

/** Reports once before it returns, and then every 5 s. A report that can't be stored is logged and made up for by the next. */
export async function reportAlive({ buildId, log }: { buildId: string | undefined; log: Log }): Promise<AliveReports> {
  const worker = { id: randomUUID(), host: hostname(), build_id: buildId ?? null };
  const stopping = new AbortController();
  const report = () =>
    WorkerModel.report(worker).catch((err: unknown) => log.warn({ err }, 'could not report that the worker lives'));

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
        .catch((err: unknown) => log.warn({ err }, 'could not say that the worker ends'));
    },
  };
}
