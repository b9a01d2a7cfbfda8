import { Model, type TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { DeliverySort, DeliveryStatus, StopReason, WebhookEvent } from '../../contract/values/constants.ts';
import type { DeliveryFilter } from '../../contract/sessions/deliveries.ts';
import { AssistantModel } from './assistant.ts';
import type { SessionModel } from './session.ts';
import { PAYER } from './workspace.ts';
import { inMs, inSnapshot, now, runPrepared } from '../statements.ts';
import { countUpTo, findPage, followRows, whereGiven, type PageRequest } from '../page.ts';
import { DeliveryAttemptModel } from './delivery-attempt.ts';

const LISTED_COLUMNS = [
  'id',
  'session_id',
  'assistant_id',
  'workflow_id',
  'event',
  'alert',
  'replayed_from',
  'batch_id',
  'status',
  'stop_reason',
  'next_attempt_at',
  'created_at',
  'ended_at',
];

const OVERDUE_MS = 30_000;

const LAST_ATTEMPT = `(
  select json_build_object('status_code', status_code, 'failure', failure, 'duration_ms', duration_ms, 'url', url)
  from delivery_attempts where delivery_id = deliveries.id order by attempt desc limit 1
) as last_attempt`;

const SESSION = `(
  select json_build_object('summary_text', summary_text, 'metadata', metadata) from sessions where id = deliveries.session_id
) as session`;

const countAttempts = () =>
  DeliveryAttemptModel.query()
    .whereColumn('delivery_id', 'deliveries.id')
    .select(DeliveryModel.raw('count(*)::int'))
    .as('attempt_count');

/** One row of `deliveries`: a webhook event, with the bytes that every attempt sends. */
export class DeliveryModel extends Model {
  static override tableName = 'deliveries';
  declare id: string;
  declare workspace_id: string;
  /** null: a test. */
  declare session_id: string | null;
  declare assistant_id: string;
  /** ID of the workflow that delivers it: the session's ID, or its own. */
  declare workflow_id: string;
  declare event: WebhookEvent;
  declare payload: string;
  /** Name of the alert whose URL it is sent to; null: it is sent to the webhook. */
  declare alert: string | null;
  /** The original, whose payload this delivery sends again, also if a redelivery was redelivered. null: an original. */
  declare replayed_from: string | null;
  /** The batch that created it. */
  declare batch_id: string | null;
  declare status: DeliveryStatus;
  declare stop_reason: StopReason | null;
  declare next_attempt_at: Date | null;
  /** When the sweep checks it again; null: not checked yet. */
  declare check_after: Date | null;
  declare created_at: Date;
  declare ended_at: Date | null;
  /** As in sessions. */
  declare readonly payer: string;
  declare attempts?: DeliveryAttemptModel[];
  /** Selected only for lists. */
  declare attempt_count?: number;
  /** Selected only for lists in ascending order. */
  declare readonly sorted_by?: string;
  /** Selected only for lists; null: no attempt has started. */
  declare last_attempt?: Pick<DeliveryAttemptModel, 'status_code' | 'failure' | 'duration_ms' | 'url'> | null;
  /** Selected only for lists; null: a test. */
  declare session?: Pick<SessionModel, 'summary_text' | 'metadata'> | null;
  /** What concerns receivers. Selected only for attempts; null: deleted. */
  declare assistant?: AssistantModel | null;
  /** A stand-in produced the result. Selected only for attempts; null: a test. */
  declare simulated?: boolean | null;

  /** Returns whether the next attempt is later than a running attempt would explain. */
  isOverdue(at: Date): boolean {
    const { status, next_attempt_at } = this;
    return status === 'pending' && next_attempt_at !== null && Number(at) - Number(next_attempt_at) > OVERDUE_MS;
  }

  static override relationMappings = () => ({
    attempts: {
      relation: Model.HasManyRelation,
      modelClass: DeliveryAttemptModel,
      join: { from: 'deliveries.id', to: 'delivery_attempts.delivery_id' },
      modify: (query: { orderBy(column: string): unknown }) => query.orderBy('attempt'),
    },
  });

  static newId(): string {
    return typeid('dlv').toString();
  }

  /** Deliveries that get workflows of their own: see `runtime/temporal/start.ts`. */
  static async createOwn(
    fields: readonly (NewDelivery &
      Partial<Pick<DeliveryModel, 'alert' | 'replayed_from' | 'batch_id' | 'created_at' | 'next_attempt_at'>>)[],
    trx?: TransactionOrKnex,
  ): Promise<DeliveryModel[]> {
    const rows = fields.map((each) => {
      const id = DeliveryModel.newId();
      return { id, workflow_id: id, next_attempt_at: now(), ...each };
    });
    return DeliveryModel.query(trx)
      .insert(rows)
      .returning(['*', DeliveryModel.raw(PAYER) as never]);
  }

  /**
   * Replaces the payload of a delivery that was created in the last `burst_ms` milliseconds. Returns whether there is one. The row is
   * locked before its age is known, so its first attempt, which is later, sends this payload.
   */
  static async replacePayload(
    { session_id, event, payload }: NewDelivery,
    burst_ms: number,
    trx: TransactionOrKnex,
  ): Promise<boolean> {
    const pending = DeliveryModel.query(trx)
      .select('id')
      .where({ session_id, event, status: 'pending', replayed_from: null });
    const count = await DeliveryModel.query(trx)
      .patch({ payload })
      .where('id', '=', pending.orderBy('id', 'desc').limit(1).forUpdate())
      .whereRaw("created_at > clock_timestamp() - ? * interval '1 millisecond'", [burst_ms]);
    return count > 0;
  }

  /** Returns the columns of a delivery that sends the same payload again. */
  toReplay() {
    const { workspace_id, session_id, assistant_id, event, alert, payload } = this;
    const replayed_from = this.replayed_from ?? this.id;
    return { workspace_id, session_id, assistant_id, event, alert, payload, replayed_from };
  }

  /** Finds a delivery with what its current assistant says about receivers. Waits for a transaction that replaces the payload. */
  static async findForAttempt(id: string): Promise<DeliveryModel | undefined> {
    const [row] = await runPrepared<{ assistant: object | null }>(
      `select deliveries.*, (select simulated from sessions where sessions.id = deliveries.session_id) as simulated,
         (select json_build_object('id', id, 'alerts', alerts, 'webhook_url', webhook_url,
           'webhook_secret', webhook_secret, 'webhook_auth', webhook_auth)
         from assistants where assistants.id = deliveries.assistant_id and deleted_at is null) as assistant
       from deliveries where id = :id for share`,
      { id },
    );
    if (!row) return undefined;
    const { assistant, ...columns } = row;
    return DeliveryModel.fromDatabaseJson(columns).$set({
      assistant: assistant && AssistantModel.fromDatabaseJson(assistant),
    });
  }

  static findOwned(workspaceId: string, id: string) {
    return inSnapshot((trx) =>
      DeliveryModel.query(trx)
        .select('*', DeliveryModel.raw(PAYER))
        .findOne({ id, workspace_id: workspaceId })
        .withGraphFetched('attempts'),
    );
  }

  /** Finds the deliveries of a session for its timeline, without payloads and responses. */
  static findTimesOfSession(sessionId: string) {
    return inSnapshot((trx) =>
      DeliveryModel.query(trx)
        .select('id', 'alert', 'created_at', 'ended_at', 'status', 'next_attempt_at')
        .where({ session_id: sessionId })
        .orderBy('id')
        .withGraphFetched('attempts')
        .modifyGraph('attempts', (attempts) =>
          attempts.select('delivery_id', 'attempt', 'started_at', 'duration_ms', 'outcome', 'failure', 'status_code'),
        ),
    );
  }

  /** Finds a page of a session's deliveries with their attempts, without the payloads. */
  static findPageOfSession(workspaceId: string, sessionId: string, page: PageRequest) {
    return inSnapshot((trx) =>
      findPage(
        DeliveryModel.query(trx)
          .select(LISTED_COLUMNS)
          .where({ workspace_id: workspaceId, session_id: sessionId })
          .withGraphFetched('attempts'),
        page,
      ),
    );
  }

  static findOwnedPage(
    workspaceId: string,
    filter: DeliveryFilter,
    { sort, ...page }: PageRequest & { sort?: DeliverySort | undefined },
  ) {
    const query = filterDeliveries(workspaceId, filter);
    // Without the payloads, which can be megabytes.
    query.select(...LISTED_COLUMNS, countAttempts(), DeliveryModel.raw(LAST_ATTEMPT), DeliveryModel.raw(SESSION));
    const followed = { time: 'deliveries.created_at', id: 'deliveries.id', prefix: 'dlv' } as const;
    return sort === 'created_at' ? followRows(query, followed, page) : findPage(query, page);
  }

  /** Counts the deliveries of a filter, at most `most`. */
  static countOwned(workspaceId: string, filter: DeliveryFilter, most: number): Promise<number> {
    return countUpTo(filterDeliveries(workspaceId, filter).select('id'), most);
  }

  /** Deletes ended tests of webhooks, which belong to no session, after the retention of sessions. @param days 0: forever. */
  static async removeExpiredTests(days: number): Promise<void> {
    const ownDays = '(select retention_days from assistants where id = deliveries.assistant_id)';
    await DeliveryModel.query()
      .delete()
      .whereNull('session_id')
      .whereRaw(`ended_at < now() - least(nullif(cast(? as integer), 0), ${ownDays}) * interval '1 day'`, days);
  }

  /** Finds the delivery of the session's own workflow. */
  static findOfWorkflow(session_id: string) {
    return DeliveryModel.query().findOne({ session_id, workflow_id: session_id }).orderBy('id', 'desc');
  }

  /** Finds the pending deliveries of a batch without an attempt. */
  static findUnbegun(batch_id: string) {
    return DeliveryModel.query()
      .select('*', DeliveryModel.raw(PAYER))
      .where({ batch_id, status: 'pending' })
      .whereNotExists(DeliveryModel.relatedQuery('attempts'));
  }

  static findPendingOfSession(session_id: string, event: WebhookEvent) {
    return DeliveryModel.query().select('*', DeliveryModel.raw(PAYER)).where({ session_id, event, status: 'pending' });
  }

  /**
   * Returns pending deliveries whose next attempt is more than a minute late, longest overdue first. Call `setChecked` for
   * each, so that the next call returns others.
   */
  static findOverdue(limit: number) {
    return DeliveryModel.query()
      .select('id', 'workspace_id', 'assistant_id', 'workflow_id', 'event', DeliveryModel.raw(PAYER))
      .where({ status: 'pending' })
      .whereRaw("greatest(next_attempt_at, check_after) < now() - interval '1 minute'")
      .orderByRaw('greatest(next_attempt_at, check_after)')
      .limit(limit);
  }

  /** Postpones the next check by `pause_s` seconds. */
  static setChecked(id: string, pause_s: number) {
    return DeliveryModel.query()
      .patch({ check_after: inMs(pause_s * 1_000) })
      .where({ id, status: 'pending' });
  }

  /** Returns the latest delivery of each session's result, without alerts, by session. */
  static async findLatest(sessionIds: readonly string[]): Promise<Map<string, DeliveryModel>> {
    const rows = await DeliveryModel.query()
      .distinctOn('session_id')
      .select('session_id', 'id', 'status', 'next_attempt_at', countAttempts())
      .whereIn('session_id', [...sessionIds])
      .whereNull('alert')
      .orderBy('session_id')
      .orderBy('id', 'desc');
    return new Map(rows.flatMap((row) => (row.session_id === null ? [] : [[row.session_id, row]])));
  }

  /** Makes the next attempt due now, unless it has been made since `next_attempt_at` was read. */
  static hasten(id: string, next_attempt_at: Date | null) {
    return DeliveryModel.query().patch({ next_attempt_at: now() }).where({ id, status: 'pending', next_attempt_at });
  }

  /** Updates a delivery that is pending. Changes nothing if it has ended or was stopped. */
  static patchPending(
    id: string,
    fields: { status?: DeliveryStatus; stop_reason?: StopReason; next_attempt_at: Date | null },
  ) {
    const hasEnded = fields.status !== undefined && fields.status !== 'pending';
    return DeliveryModel.query()
      .patch({ ...fields, ...(hasEnded && { ended_at: now() }) })
      .where({ id, status: 'pending' });
  }
}

function filterDeliveries(workspaceId: string, { delivery_id, failure, ...given }: DeliveryFilter) {
  const query = whereGiven(DeliveryModel.query(), { workspace_id: workspaceId, ...given });
  if (delivery_id !== undefined) query.whereIn('id', delivery_id);
  if (failure !== undefined) query.whereExists(DeliveryModel.relatedQuery('attempts').where({ failure }));
  return query;
}

type NewDelivery = Pick<DeliveryModel, 'workspace_id' | 'session_id' | 'assistant_id' | 'event' | 'payload'>;
