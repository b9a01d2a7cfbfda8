/** Checks stored rows that a workflow should process. */
import type { Client } from '@temporalio/client';
import { isDatabaseUnavailable } from '../../db/connect.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { isTemporalUnavailable } from '../../runtime/temporal/connect.ts';
import { findLatestRun, type LatestRun } from '../../runtime/temporal/runs.ts';

/** Rows per query, and rows checked in parallel. */
const BATCH = 500;
const AT_ONCE = 10;

/** A sweep ends after this time, well within its activity's limit. The next sweep continues. */
const MAX_DURATION_MS = 120_000;

/** Time until a row with a running workflow is checked again. */
const RECHECK_AFTER_S = 600;

/** A row of this age has a workflow: a start takes milliseconds. */
export const LOST_AFTER_S = 60;

export interface SweepDeps {
  client: Client;
  log: Log;
}

interface CheckedModel<T> {
  findOverdue(limit: number): PromiseLike<T[]>;
  /** Excludes a row from the results of `findOverdue` for a while. */
  setChecked(id: string, pause_s: number): PromiseLike<unknown>;
}

/**
 * Checks all overdue rows, a few at a time. If the time is over, the next sweep continues. If a check fails,
 * logs it and checks the other rows.
 */
export async function checkOverdue<T extends { id: string }>(
  model: CheckedModel<T>,
  check: (row: T) => Promise<void>,
  log: Log,
): Promise<void> {
  const endAt = Date.now() + MAX_DURATION_MS;
  for (;;) {
    const rows = await model.findOverdue(BATCH);
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      if (Date.now() > endAt) return;
      await Promise.all(rows.slice(from, from + AT_ONCE).map(checkOne));
    }
    if (rows.length < BATCH) return;
  }

  async function checkOne(row: T): Promise<void> {
    await logFailure(log, row.id, () => check(row));
    await model.setChecked(row.id, RECHECK_AFTER_S);
  }
}

/** Checks one row. Logs a failure that is the row's own, so it does not end the sweep; throws others, such as an outage. */
export async function logFailure(log: Log, id: string, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (err) {
    if (isDatabaseUnavailable(err) || isTemporalUnavailable(err)) throw err;
    log.error({ err, id }, 'could not check a row in a sweep');
  }
}

interface SweptRow {
  id: string;
  /** Default: `id`. */
  workflowId?: string;
  /** Returns whether the row waits for a newer run than this closed one, whose start was lost. */
  isStartLost?: (run: LatestRun) => boolean;
  start: () => Promise<void>;
  stop: () => PromiseLike<unknown>;
}

/**
 * Starts the workflow of a row if its start was lost, or if Temporal lost it. Stops the row if its workflow was ended
 * from outside. Returns what was done; undefined if the workflow runs.
 */
export async function sweepRow(
  { client, log }: SweepDeps,
  { id, workflowId = id, isStartLost = () => false, start, stop }: SweptRow,
): Promise<'started' | 'stopped' | undefined> {
  const run = await findLatestRun(client, workflowId);
  if (run.state === 'RUNNING') return undefined;
  const isLost = run.state === 'NOT_FOUND' || isStartLost(run);
  await (isLost ? start() : stop());
  log.warn({ id, workflow_state: run.state }, 'swept a row without a running workflow');
  return isLost ? 'started' : 'stopped';
}
