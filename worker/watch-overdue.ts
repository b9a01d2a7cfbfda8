/** Has a sweep run when there is something for it to find: the schedules alone would run it seldom, or for nothing. */
import { ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { WORKFLOWS } from '../contract/workflows.ts';
import { DeliveryModel } from '../db/models/delivery.ts';
import { SessionModel } from '../db/models/session.ts';
import { VendorOutageModel } from '../db/models/vendor-outage.ts';
import { findDeletedUsers } from '../db/queries/deleted-users.ts';
import type { Log } from '../runtime/telemetry/log.ts';

/** A start that was lost is overdue after a minute: so it is made up for within two. */
const LOOK_EVERY_MS = 30_000;

const SWEEPS = [
  {
    id: WORKFLOWS.sweepLostSessions,
    find: async () => [...(await SessionModel.findOverdue(1)), ...(await VendorOutageModel.findDue())],
  },
  { id: WORKFLOWS.sweepLostDeliveries, find: () => DeliveryModel.findOverdue(1) },
  { id: WORKFLOWS.removeDeletedAccounts, find: () => findDeletedUsers(1) },
] as const;

/** Looks every 30 s; returns what ends it. */
export function watchOverdue(deps: { client: Client; log: Log }): () => void {
  const timer = setInterval(() => {
    triggerSweeps(deps).catch((err: unknown) => deps.log.warn({ err }, 'could not look for what is overdue'));
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Starts the sweeps that have something to find, unless they run already or an operator paused their schedule. */
export async function triggerSweeps({ client }: { client: Client }): Promise<void> {
  for (const { id, find } of SWEEPS) {
    if ((await find()).length === 0) continue;
    const schedule = client.schedule.getHandle(id);
    const { state } = await schedule.describe();
    if (!state.paused) await schedule.trigger(ScheduleOverlapPolicy.SKIP);
  }
}
