/** The steps of a batch. The workflow sets the pace. docs/decisions.md, "Batches". */
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Transaction } from 'objection';
import { UNBEGUN_SESSION_STATUSES, type BatchAction, type BatchStatus } from '../../contract/values/constants.ts';
import type { RunBatchInput } from '../../contract/workflows.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { PAYER } from '../../db/models/workspace.ts';
import { beginItems, resumeUnpaid, settleItems, type Begun } from '../../db/queries/batch-items.ts';
import { isAnyLeft } from '../../db/queries/batch-sources.ts';
import { endUnstarted } from '../../db/queries/end-unstarted.ts';
import { cancelQueuedSession } from '../../db/queries/session-status.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import { startDelivery, startSession } from '../../runtime/temporal/start.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { removeSession } from '../sessions/remove-session.ts';
import { DELETIONS, findRoom, type FindRoomDeps } from './find-room.ts';

export interface ContinueBatchDeps extends FindRoomDeps {
  client: Client;
  audio: AudioStore;
}

const DELETIONS_AT_ONCE = 10;

export interface BatchProgress {
  /** Status of the batch; `gone` if its row no longer exists. */
  status: BatchStatus | 'gone';
  total: number;
  begun: number;
  ended: number;
  isHeld: boolean;
}

/** A session or delivery whose workflow must be started. */
type Started = Begun | DeliveryModel;

const GONE: BatchProgress = { status: 'gone', total: 0, begun: 0, ended: 0, isHeld: false };

/**
 * Returns the activity that counts ended sessions or deliveries, and starts as many new ones as there is room for. The batch's position
 * is stored with them, so none is started twice.
 */
export function createContinueBatch(deps: ContinueBatchDeps) {
  return function continueBatch({ batch_id }: RunBatchInput): Promise<BatchProgress> {
    return withHeartbeat(async () => {
      // An earlier run of this activity may have stored rows without starting them.
      if (Context.current().info.attempt > 1) await startAll(deps, await findUnstarted(batch_id));
      await startAll(deps, await BatchModel.transaction((trx) => beginNext(deps, batch_id, trx)));
      await endItems(deps, batch_id);
      return (await BatchModel.transaction((trx) => endWhenDone(batch_id, trx))) ?? GONE;
    });
  };
}

async function beginNext(deps: ContinueBatchDeps, id: string, trx: Transaction): Promise<Started[]> {
  const batch = await BatchModel.lock(id, trx);
  if (batch?.status !== 'running') return [];
  const { room, held_by } = await findRoom(deps, batch, trx);
  if (held_by !== batch.held_by) await batch.$query(trx).patch({ held_by });
  if (room <= 0) return [];
  const resumed = await resumeUnpaid(batch, room, trx);
  const left = room - resumed.length;
  return left === 0 ? resumed : [...resumed, ...(await beginItems(batch, left, trx))];
}

/** Counts what has ended. Ends the batch if none is in progress and none is left to start. */
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

/** Finds the rows that an interrupted step stored without starting them. */
async function findUnstarted(batch_id: string): Promise<Started[]> {
  const queued = SessionModel.query()
    .select('id', 'workspace_id', 'assistant_id', 'type', 'status', 'batch_id', SessionModel.raw(PAYER))
    .where({ batch_id })
    .whereIn('status', [...UNBEGUN_SESSION_STATUSES]);
  return [...(await queued), ...(await DeliveryModel.findUnbegun(batch_id))];
}

async function startAll({ client }: ContinueBatchDeps, rows: readonly Started[]): Promise<void> {
  const start = (row: Started) =>
    row instanceof DeliveryModel ? startDelivery(client, row) : startSession(client, row);
  await Promise.all(rows.map(start));
}

/**
 * Removes the sessions of a batch that deletes, or cancels those of a batch that cancels, including those left by an interrupted step.
 * Changed ones wait for the next step.
 */
async function endItems(deps: ContinueBatchDeps, batchId: string): Promise<void> {
  const sessions = await SessionModel.query()
    .select('sessions.id', 'type', 'sessions.status', 'completed_at', 'action')
    .joinRaw('join batch_items item on item.session_id = sessions.id')
    .joinRaw("join batches on batches.id = item.batch_id and batches.action in ('delete', 'cancel')")
    .where('item.batch_id', batchId)
    .whereNull('item.outcome')
    .limit(DELETIONS)
    .castTo<(SessionModel & { action: BatchAction })[]>();
  const end = ({ action, ...session }: SessionModel & { action: BatchAction }) =>
    action === 'delete' ? removeSession(deps, session) : cancel(deps, session);
  for (let from = 0; from < sessions.length; from += DELETIONS_AT_ONCE) {
    await Promise.all(sessions.slice(from, from + DELETIONS_AT_ONCE).map(end));
  }
}

/** Cancels a session: by its row before its first step or without a workflow, otherwise through its workflow. */
async function cancel({ client }: ContinueBatchDeps, { id, completed_at }: Pick<SessionModel, 'id' | 'completed_at'>) {
  if (completed_at !== null) return;
  const isQueued = await cancelQueuedSession(id);
  if (isQueued) sessionEnded.publish({ status: 'canceled' });
  if (!(await cancelWorkflow(client, id)) && !isQueued) await endUnstarted(id);
}

/** Ends the batch of a canceled workflow. Sessions and deliveries in progress continue. */
export async function cancelBatch({ batch_id }: RunBatchInput): Promise<void> {
  await BatchModel.end(batch_id, 'canceled');
}
