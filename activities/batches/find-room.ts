import type { Transaction } from 'objection';
import type { BatchHold } from '../../contract/constants.ts';
import type { BatchModel } from '../../db/models/batch.ts';
import type { BudgetLimits } from '../../db/models/vendor-call.ts';
import { countUnderWay } from '../../db/queries/batch-items.ts';
import { isBudgetSpent } from '../../db/queries/spent-budget.ts';

export interface FindRoomDeps {
  budgets: BudgetLimits;
  /** Sessions of one user's batches that may be under way, the queued ones included. */
  maxBatchSessions: number;
}

/** How many sessions of a batch may begin now. */
export interface Room {
  room: number;
  /** Why none may until somebody gives it more; null: it is not held. */
  held_by: BatchHold | null;
}

/** Sessions that are begun in one step: more at once would hold up new requests, which share the workers. */
const BEGUN = 10;

/** Looks how much a batch that is paid for may begin. */
export async function findRoom(deps: FindRoomDeps, batch: BatchModel, trx: Transaction): Promise<Room> {
  if (await isBudgetSpent(batch.user_id, deps.budgets)) return { room: 0, held_by: 'budget' };
  const affordable = countAffordable(batch);
  if (affordable === 'none') return { room: 0, held_by: 'max_cost' };
  const free = deps.maxBatchSessions - (await countUnderWay(batch.user_id, trx));
  return { room: Math.min(BEGUN, free, affordable), held_by: null };
}

/**
 * Returns how many more sessions what is left of `max_cost_usd` pays for, at the mean of those that have ended; `none`: it
 * pays for none, whatever becomes of those under way. The first one is begun alone: nothing is known before it.
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
