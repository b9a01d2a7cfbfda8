/** Runs the steps of a batch; its workflow sets the pace. docs/decisions.md, "Batches". */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Transaction } from 'objection';
import type { BatchStatus } from '../../contract/constants.ts';
import type { RunBatchInput } from '../../contract/workflows.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { beginItems, resumeUnpaid, settleItems } from '../../db/queries/batch-items.ts';
import type { Begun } from '../../db/queries/batch-items.ts';
import { findSources } from '../../db/queries/batch-sources.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { startSession } from '../../runtime/temporal/start-session.ts';
import { reportingLife } from '../report-life.ts';
import { findRoom } from './find-room.ts';
import type { FindRoomDeps, Room } from './find-room.ts';
import { removeItems } from './remove-items.ts';

export interface ContinueBatchDeps extends FindRoomDeps {
  client: Client;
  audio: AudioStore;
}

/** Pause after each start. */
const START_PAUSE_MS = 100;

/** Sessions that are deleted in one step. */
const DELETIONS = 50;

const UNPAID: Room = { room: DELETIONS, held_by: null };

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
  const { room, held_by } = batch.action === 'delete' ? UNPAID : await findRoom(deps, batch, trx);
  if (held_by !== batch.held_by) await batch.$query(trx).patch({ held_by });
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

/** Counts what has ended, and ends the batch once nothing is under way and nothing is left to begin. */
async function endWhenDone(id: string, trx: Transaction): Promise<BatchProgress | undefined> {
  const before = await BatchModel.lock(id, trx);
  if (!before) return undefined;
  await settleItems(before, trx);
  const batch = await BatchModel.query(trx).findById(id).throwIfNotFound();
  const ended = batch.completed + batch.failed + batch.canceled;
  const facts = { total: batch.total, begun: batch.begun, ended, isHeld: batch.held_by !== null };
  if (batch.ended_at !== null || ended < batch.begun) return { status: batch.status, ...facts };
  if (batch.status === 'running' && (batch.held_by === 'budget' || (await isAnyLeft(batch, trx)))) {
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

/** Starts them one after the other: started at once, all of them would stand before their owner's next request. */
async function startAll({ client }: ContinueBatchDeps, sessions: readonly Begun[]): Promise<void> {
  for (const session of sessions) {
    await startSession(client, session);
    await sleep(START_PAUSE_MS, undefined, { signal: Context.current().cancellationSignal });
  }
}

/** Ends the batch of a canceled workflow: nothing more is begun, and what is under way goes on. */
export async function cancelBatch({ batch_id }: RunBatchInput): Promise<void> {
  await BatchModel.end(batch_id, 'canceled');
}
