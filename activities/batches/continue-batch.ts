/** Runs the steps of a batch; its workflow sets the pace. docs/decisions.md, "Batches". */
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Transaction } from 'objection';
import type { BatchStatus } from '../../contract/constants.ts';
import type { RunBatchInput } from '../../contract/workflows.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { BudgetLimits } from '../../db/models/vendor-call.ts';
import { beginItems, countUnderWay, resumeUnpaid, settleItems } from '../../db/queries/batch-items.ts';
import type { Begun } from '../../db/queries/batch-items.ts';
import { findSources } from '../../db/queries/batch-sources.ts';
import { isBudgetSpent } from '../../db/queries/spent-budget.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { startSession } from '../../runtime/temporal/start-session.ts';
import { reportingLife } from '../report-life.ts';
import { removeItems } from './remove-items.ts';

export interface ContinueBatchDeps {
  client: Client;
  audio: AudioStore;
  budgets: BudgetLimits;
  /** Sessions of one user's batches that may be under way, the queued ones included. */
  maxBatchSessions: number;
}

/** Sessions that are begun in one step: more at once would hold up new requests, which share the workers. */
const BEGUN = 10;

/** Sessions that are deleted in one step. */
const DELETIONS = 50;

export interface BatchProgress {
  /** Status of the batch; `gone` when its row does not exist any more. */
  status: BatchStatus | 'gone';
  total: number;
  begun: number;
  ended: number;
  isHeld: boolean;
}

const GONE: BatchProgress = { status: 'gone', total: 0, begun: 0, ended: 0, isHeld: false };

/**
 * Returns the activity that counts what has ended and begins as many sessions as there is room for. What it begins is
 * stored with the batch's place, so that none is begun twice.
 */
export function createContinueBatch(deps: ContinueBatchDeps) {
  return function continueBatch({ batch_id }: RunBatchInput): Promise<BatchProgress> {
    return reportingLife(async () => {
      // An earlier run of this activity may have died after it stored sessions and before it started them.
      if (Context.current().info.attempt > 1) await startAll(deps, await findQueued(batch_id));
      await startAll(deps, await BatchModel.transaction((trx) => beginNext(deps, batch_id, trx)));
      await removeItems(deps, batch_id, DELETIONS);
      return (await BatchModel.transaction((trx) => endWhenDone(batch_id, trx))) ?? GONE;
    });
  };
}

async function beginNext(deps: ContinueBatchDeps, id: string, trx: Transaction): Promise<Begun[]> {
  const batch = await BatchModel.lock(id, trx);
  if (batch?.status !== 'running') return [];
  const isPaid = batch.action !== 'delete';
  const held_by = isPaid && (await isBudgetSpent(batch.user_id, deps.budgets)) ? 'budget' : null;
  if (held_by !== batch.held_by) await batch.$query(trx).patch({ held_by });
  if (held_by !== null) return [];
  const room = isPaid ? await findRoom(deps, batch.user_id, trx) : DELETIONS;
  if (room <= 0) return [];
  const resumed = await resumeUnpaid(batch, room, trx);
  const left = room - resumed.length;
  if (left === 0) return resumed;
  const sources = await findSources(batch, trx)
    .select('sessions.id', 'user_id', 'assistant_id', 'type')
    .where('sessions.id', '>', batch.last_id)
    .orderBy('sessions.id')
    .limit(left);
  return [...resumed, ...(await beginItems(batch, sources, trx))];
}

/** Returns how many sessions of the user's batches may begin now. */
const findRoom = async ({ maxBatchSessions }: ContinueBatchDeps, userId: string, trx: Transaction) =>
  Math.min(BEGUN, maxBatchSessions - (await countUnderWay(userId, trx)));

/** Counts what has ended, and ends the batch once nothing is under way and nothing is left to begin. */
async function endWhenDone(id: string, trx: Transaction): Promise<BatchProgress | undefined> {
  const before = await BatchModel.lock(id, trx);
  if (!before) return undefined;
  await settleItems(before, trx);
  const batch = await BatchModel.query(trx).findById(id).throwIfNotFound();
  const ended = batch.completed + batch.failed + batch.canceled;
  const facts = { total: batch.total, begun: batch.begun, ended, isHeld: batch.held_by !== null };
  if (batch.ended_at !== null || ended < batch.begun) return { status: batch.status, ...facts };
  if (batch.status === 'running' && (batch.held_by !== null || (await isAnyLeft(batch, trx)))) {
    return { status: 'running', ...facts };
  }
  const status = batch.status === 'running' ? 'completed' : 'canceled';
  await BatchModel.end(id, status, trx);
  return { status, ...facts };
}

async function isAnyLeft(batch: BatchModel, trx: Transaction): Promise<boolean> {
  const next = await findSources(batch, trx).select('sessions.id').where('sessions.id', '>', batch.last_id).limit(1);
  return next.length > 0;
}

const findQueued = (batch_id: string) =>
  SessionModel.query().select('id', 'user_id', 'assistant_id', 'type').where({ batch_id, status: 'queued' });

async function startAll({ client }: ContinueBatchDeps, sessions: readonly Begun[]): Promise<void> {
  await Promise.all(sessions.map((session) => startSession(client, session)));
}

/** Ends the batch of a canceled workflow: nothing more is begun, and what is under way goes on. */
export async function cancelBatch({ batch_id }: RunBatchInput): Promise<void> {
  await BatchModel.end(batch_id, 'canceled');
}
