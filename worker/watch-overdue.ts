/** Triggers sweeps when rows are overdue. The schedules alone would run too rarely. */
import { ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import { WORKFLOWS } from '../contract/workflows.ts';
import { DeliveryModel } from '../db/models/delivery.ts';
import { SessionModel } from '../db/models/session.ts';
import { findDeletedWorkspaces } from '../db/queries/deleted-workspaces.ts';
import type { Log } from '../runtime/telemetry/log.ts';

/** A lost start is overdue after a minute, so the sweep starts the workflow within two. */
export const OVERDUE_INTERVAL_MS = 30_000;

const SWEEPS = [
  { id: WORKFLOWS.sweepLostSessions, find: () => SessionModel.findOverdue(1) },
  { id: WORKFLOWS.sweepLostDeliveries, find: () => DeliveryModel.findOverdue(1) },
  { id: WORKFLOWS.removeDeletedWorkspaces, find: () => findDeletedWorkspaces(1) },
] as const;

/** Checks every 30 s. Returns the function that stops the checks. */
export function watchOverdue(deps: { client: Client; log: Log }): () => void {
  const timer = setInterval(() => {
    triggerSweeps(deps).catch((err: unknown) => deps.log.warn({ err }, 'could not look for overdue rows'));
  }, OVERDUE_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Triggers the sweeps with overdue rows, unless they run already or their schedule is paused. */
async function triggerSweeps({ client }: { client: Client }): Promise<void> {
  for (const { id, find } of SWEEPS) {
    if ((await find()).length === 0) continue;
    const schedule = client.schedule.getHandle(id);
    const { state } = await schedule.describe();
    if (!state.paused) await schedule.trigger(ScheduleOverlapPolicy.SKIP);
  }
}
