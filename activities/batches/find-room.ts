import type { Transaction } from 'objection';
import type { BatchHold } from '../../contract/values/constants.ts';
import type { BatchModel } from '../../db/models/batch.ts';
import type { BudgetLimits } from '../../db/models/provider-call.ts';
import { countUnderWay } from '../../db/queries/batch-items.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';

export interface FindRoomDeps {
  budgets: BudgetLimits;
}

interface Room {
  /** Sessions or deliveries that may start now. */
  room: number;
  /** Why the batch is on hold, or null. */
  held_by: BatchHold | null;
}

/** Unfinished sessions of all batches of one owner's workspaces. */
const ROOM = 25;

/** Most sessions that one step starts. */
const STARTED_PER_STEP = 10;

/** Sessions deleted or canceled per step. */
export const DELETIONS = 50;

/** Deliveries started per step, and in progress, so a receiver that is still down is not flooded. */
const DELIVERIES = 5;
const DELIVERIES_IN_PROGRESS = 100;

/** Returns how many sessions the budgets and the owner's limit allow to start, or how many deliveries. */
export async function findRoom(deps: FindRoomDeps, batch: BatchModel, trx: Transaction): Promise<Room> {
  if (batch.action === 'delete' || batch.action === 'cancel') return { room: DELETIONS, held_by: null };
  // One transaction scores them all.
  if (batch.action === 'score') return { room: 500, held_by: null };
  if (batch.action === 'redeliver') {
    const inProgress = batch.begun - batch.completed - batch.failed - batch.canceled;
    return { room: Math.min(DELIVERIES, DELIVERIES_IN_PROGRESS - inProgress), held_by: null };
  }
  if (await WorkspaceModel.isBudgetSpent(batch.workspace_id, deps.budgets, trx)) return { room: 0, held_by: 'budget' };
  const affordable = countAffordable(batch);
  if (affordable === 'none') return { room: 0, held_by: 'max_cost' };
  const free = ROOM - (await countUnderWay(batch.workspace_id, trx));
  return { room: Math.min(STARTED_PER_STEP, free, affordable), held_by: null };
}

/**
 * Returns how many more sessions the rest of `max_cost_usd` pays for, at the mean cost of the ended ones; `none` if it
 * pays for none even after those in progress. The first session starts alone, because the cost is unknown before.
 */
function countAffordable({ max_cost_usd, cost_usd, begun, ...ended }: BatchModel): number | 'none' {
  if (max_cost_usd === null) return Infinity;
  const leftUsd = max_cost_usd - cost_usd;
  const done = ended.completed + ended.failed + ended.canceled;
  const underWay = begun - done;
  if (leftUsd <= 0) return 'none';
  if (done === 0) return 1 - underWay;
  if (cost_usd === 0) return Infinity;
  // Sums of fractions are not exact.
  const inAll = Math.floor((leftUsd * done) / cost_usd + 1e-6);
  return inAll < 1 && underWay === 0 ? 'none' : inAll - underWay;
}
