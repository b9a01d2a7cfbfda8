import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { DeliveryFailure, DeliveryStatus, StopReason, WebhookEvent } from '../../contract/constants.ts';
import { AssistantModel } from './assistant.ts';
import { inMs, now } from '../clock.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';
import { inSnapshot } from '../snapshot.ts';
import { DeliveryAttemptModel } from './delivery-attempt.ts';

const LISTED_COLUMNS = [
  ...['id', 'session_id', 'assistant_id', 'workflow_id', 'event', 'replayed_from', 'redelivery_id'],
  ...['status', 'stop_reason', 'next_attempt_at', 'created_at', 'ended_at'],
];

const OVERDUE_MS = 30_000;

const LAST_ATTEMPT = `(
  select json_build_object('status_code', status_code, 'failure', failure, 'duration_ms', duration_ms, 'url', url)
  from delivery_attempts where delivery_id = deliveries.id order by attempt desc limit 1
) as last_attempt`;

/** One row of `deliveries`: an event on its way to a webhook, with the bytes that every attempt sends. */
export class DeliveryModel extends Model {
  static override tableName = 'deliveries';
  declare id: string;
  declare user_id: string;
  /** null: a test, which has no session. */
  declare session_id: string | null;
  declare assistant_id: string;
  /** The workflow that delivers it: the session's, or one of its own with its own id. */
  declare workflow_id: string;
  declare event: WebhookEvent;
  declare payload: string;
  /** The delivery whose payload this one sends again. */
  declare replayed_from: string | null;
  /** The redelivery of many that made this one. */
  declare redelivery_id: string | null;
  declare status: DeliveryStatus;
  declare stop_reason: StopReason | null;
  declare next_attempt_at: Date | null;
  /** The sweep looks again after this time at the earliest; null: it has not looked yet. */
  declare check_after: Date | null;
  declare created_at: Date;
  declare ended_at: Date | null;
  declare attempts?: DeliveryAttemptModel[];
  /** Selected for lists only, as PostgreSQL's bigint. */
  declare attempt_count?: string;
  /** Selected for lists only; null: none was begun. */
  declare last_attempt?: Pick<DeliveryAttemptModel, 'status_code' | 'failure' | 'duration_ms' | 'url'> | null;
  /** null: it is deleted. */
  declare assistant?: AssistantModel | null;

  /** Returns whether the next attempt is late by more than one that is under way takes. */
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
    assistant: {
      relation: Model.BelongsToOneRelation,
      modelClass: AssistantModel,
      join: { from: 'deliveries.assistant_id', to: 'assistants.id' },
    },
  });

  static newId(): string {
    return typeid('dlv').toString();
  }

  /** Deliveries that get workflows of their own: see `runtime/temporal/start-delivery.ts`. */
  static async createOwn(
    fields: readonly (NewDelivery & Partial<Pick<DeliveryModel, 'replayed_from' | 'redelivery_id'>>)[],
    trx?: TransactionOrKnex,
  ): Promise<DeliveryModel[]> {
    const rows = fields.map((each) => {
      const id = DeliveryModel.newId();
      return { id, workflow_id: id, ...each, next_attempt_at: now() };
    });
    return DeliveryModel.query(trx).insert(rows).returning('*');
  }

  static findOwned(userId: string, id: string) {
    return inSnapshot((trx) => DeliveryModel.query(trx).findOne({ id, user_id: userId }).withGraphFetched('attempts'));
  }

  /** Finds what a timeline shows of the session's deliveries: neither payloads nor answers. */
  static findTimesOfSession(sessionId: string) {
    return inSnapshot((trx) =>
      DeliveryModel.query(trx)
        .select('id', 'created_at', 'ended_at', 'status', 'next_attempt_at')
        .where({ session_id: sessionId })
        .orderBy('id')
        .withGraphFetched('attempts')
        .modifyGraph('attempts', (attempts) =>
          attempts.select('delivery_id', 'attempt', 'started_at', 'duration_ms', 'outcome', 'failure', 'status_code'),
        ),
    );
  }

  /** Finds a page of a session's deliveries with their attempts, without the payloads. */
  static findPageOfSession(userId: string, sessionId: string, page: PageRequest) {
    return inSnapshot((trx) =>
      findPage(
        DeliveryModel.query(trx)
          .select(LISTED_COLUMNS)
          .where({ user_id: userId, session_id: sessionId })
          .withGraphFetched('attempts'),
        page,
      ),
    );
  }

  static findOwnedPage(userId: string, filter: DeliveryFilter, page: PageRequest) {
    const { created_after, created_before, failure, ...exact } = filter;
    const query = DeliveryModel.query().where({ user_id: userId });
    for (const [column, value] of Object.entries(exact)) if (value !== undefined) query.where(column, value);
    if (failure !== undefined) query.whereExists(DeliveryModel.relatedQuery('attempts').where({ failure }));
    if (created_after) query.where('created_at', '>=', created_after);
    if (created_before) query.where('created_at', '<', created_before);
    // Without the payloads, which can be megabytes.
    const attempts = DeliveryAttemptModel.query().whereColumn('delivery_id', 'deliveries.id').count();
    query.select(...LISTED_COLUMNS, attempts.as('attempt_count'), DeliveryModel.raw(LAST_ATTEMPT));
    return findPage(query, page);
  }

  /** Finds what the session's own workflow is to deliver. */
  static findOfWorkflow(session_id: string) {
    return DeliveryModel.query().findOne({ session_id, workflow_id: session_id }).orderBy('id', 'desc');
  }

  /** Finds those of a redelivery of many no attempt of which has begun. */
  static findUnbegun(redelivery_id: string) {
    return DeliveryModel.query()
      .where({ redelivery_id, status: 'pending' })
      .whereNotExists(DeliveryModel.relatedQuery('attempts'));
  }

  static findPendingOfSession(session_id: string, event: WebhookEvent) {
    return DeliveryModel.query().where({ session_id, event, status: 'pending' });
  }

  /**
   * Returns pending deliveries whose next attempt should have begun a minute ago, those that are overdue longest first.
   * Each is to be told of with `setChecked`: then the next batch, and the next sweep, go on where this one stopped.
   */
  static findOverdue(limit: number) {
    return DeliveryModel.query()
      .select('id', 'user_id', 'assistant_id', 'workflow_id', 'event')
      .where({ status: 'pending' })
      .whereRaw("greatest(next_attempt_at, check_after) < now() - interval '1 minute'")
      .orderByRaw('greatest(next_attempt_at, check_after)')
      .limit(limit);
  }

  /** Has the sweep leave a delivery alone for the next `pause_s` seconds. */
  static setChecked(id: string, pause_s: number) {
    return DeliveryModel.query()
      .patch({ check_after: inMs(pause_s * 1_000) })
      .where({ id, status: 'pending' });
  }

  /** Returns the latest delivery of each session that has one, by session. */
  static async findLatest(sessionIds: readonly string[]): Promise<Map<string, DeliveryModel>> {
    const rows = await DeliveryModel.query()
      .distinctOn('session_id')
      .select('session_id', 'id', 'status', 'next_attempt_at')
      .whereIn('session_id', [...sessionIds])
      .orderBy('session_id')
      .orderBy('id', 'desc');
    return new Map(rows.flatMap((row) => (row.session_id === null ? [] : [[row.session_id, row]])));
  }

  /** Shows that the wait until `next_attempt_at` is skipped; not if the next attempt has been made meanwhile. */
  static hasten(id: string, next_attempt_at: Date | null) {
    return DeliveryModel.query().patch({ next_attempt_at: now() }).where({ id, status: 'pending', next_attempt_at });
  }

  /** Changes a delivery that is still pending; one that was stopped or has ended stays as it is. */
  static patchPending(
    id: string,
    fields: { status?: DeliveryStatus; stop_reason?: StopReason; next_attempt_at: Date | null },
    trx?: TransactionOrKnex,
  ) {
    const hasEnded = fields.status !== undefined && fields.status !== 'pending';
    return DeliveryModel.query(trx)
      .patch({ ...fields, ...(hasEnded && { ended_at: now() }) })
      .where({ id, status: 'pending' });
  }
}

type NewDelivery = Pick<DeliveryModel, 'user_id' | 'session_id' | 'assistant_id' | 'event' | 'payload'>;

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  assistant_id?: string | undefined;
  session_id?: string | undefined;
  event?: WebhookEvent | undefined;
  /** Of at least one attempt. */
  failure?: DeliveryFailure | undefined;
  redelivery_id?: string | undefined;
  replayed_from?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}
