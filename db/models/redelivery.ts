import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { DeliveryStatus, RedeliveryStatus } from '../../contract/constants.ts';
import { now } from '../clock.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';
import { DeliveryModel } from './delivery.ts';

/** The filter of the request; times are ISO 8601. */
export interface RedeliveryFilter {
  status: 'failed' | 'stopped';
  assistant_id?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

/** What would be made again of one assistant. */
export interface RedeliveryPreviewRow {
  assistant_id: string;
  total: number;
  oldest: Date;
  newest: Date;
}

export type DeliveryCounts = Record<DeliveryStatus, number>;

/** One row of `redeliveries`: a run that makes many deliveries again. */
export class RedeliveryModel extends Model {
  static override tableName = 'redeliveries';
  static override jsonAttributes = ['filter'];
  declare id: string;
  declare user_id: string;
  declare filter: RedeliveryFilter;
  declare status: RedeliveryStatus;
  declare total: number;
  /** Deliveries that it has made. */
  declare started: number;
  declare last_id: string;
  declare created_at: Date;
  declare ended_at: Date | null;

  static async create(userId: string, filter: RedeliveryFilter): Promise<RedeliveryModel> {
    return RedeliveryModel.transaction(async (trx) => {
      const row = { id: typeid('rdl').toString(), user_id: userId, filter };
      const created = await RedeliveryModel.query(trx)
        .insert({ ...row, total: 0 })
        .returning('*');
      const total = await created.findMatching(trx).resultSize();
      return created.$query(trx).patchAndFetch({ total });
    });
  }

  /** Tells what a redelivery with this filter would make again, and makes nothing. */
  static async preview(userId: string, filter: RedeliveryFilter): Promise<RedeliveryPreviewRow[]> {
    const wouldBe = RedeliveryModel.fromJson({
      user_id: userId,
      filter,
      last_id: '',
      created_at: new Date(),
    });
    return wouldBe
      .findMatching()
      .groupBy('assistant_id')
      .select('assistant_id')
      .select(RedeliveryModel.raw('count(*)::int as total, min(created_at) as oldest, max(created_at) as newest'))
      .orderBy('total', 'desc')
      .castTo<RedeliveryPreviewRow[]>();
  }

  static findOwnedPage(userId: string, { status }: { status?: RedeliveryStatus | undefined }, page: PageRequest) {
    const query = RedeliveryModel.query().where({ user_id: userId });
    if (status !== undefined) query.where({ status });
    return findPage(query, page);
  }

  static findOwned(userId: string, id: string) {
    return RedeliveryModel.query().findOne({ id, user_id: userId });
  }

  /**
   * Reads the row under a lock. All runs of one user take turns, so that each sees the deliveries that the others made,
   * and no two make the same delivery again.
   */
  static async lock(id: string, trx: TransactionOrKnex): Promise<RedeliveryModel | undefined> {
    const run = await RedeliveryModel.query(trx).findById(id);
    if (!run) return undefined;
    await RedeliveryModel.query(trx).where({ user_id: run.user_id }).orderBy('id').forUpdate();
    return RedeliveryModel.query(trx).findById(id);
  }

  /** Finds the running ones that were asked for more than `age_s` seconds ago. */
  static findRunning(age_s: number) {
    return RedeliveryModel.query()
      .where({ status: 'running' })
      .where('created_at', '<', RedeliveryModel.raw("now() - ? * interval '1 second'", age_s));
  }

  /** Ends a running redelivery. Returns the number of rows changed: 0 if it had ended before. */
  static end(id: string, status: 'completed' | 'canceled', trx?: TransactionOrKnex) {
    return RedeliveryModel.query(trx).patch({ status, ended_at: now() }).where({ id, status: 'running' });
  }

  /**
   * Finds the deliveries that are still to be made again, in the order of ids. A delivery that ended after the request
   * is not among them. Nor is one that was made again before; its successor is, if it has failed too.
   */
  findMatching(trx?: TransactionOrKnex) {
    const { status, assistant_id, created_after, created_before } = this.filter;
    const query = DeliveryModel.query(trx)
      .where({ user_id: this.user_id, status, ...(assistant_id !== undefined && { assistant_id }) })
      .where('ended_at', '<=', this.created_at)
      .where('id', '>', this.last_id)
      .whereNotExists(
        DeliveryModel.query(trx).alias('replay').select(1).whereColumn('replay.replayed_from', 'deliveries.id'),
      );
    if (created_after !== undefined) query.where('created_at', '>=', created_after);
    if (created_before !== undefined) query.where('created_at', '<', created_before);
    return query;
  }

  /** Returns how many of the deliveries that it made have not ended. */
  countPending(trx: TransactionOrKnex): Promise<number> {
    return DeliveryModel.query(trx).where({ redelivery_id: this.id, status: 'pending' }).resultSize();
  }

  /** Counts the deliveries that were made so far, by their status. */
  async countDeliveries(trx?: TransactionOrKnex): Promise<DeliveryCounts> {
    const rows = (await DeliveryModel.query(trx)
      .where({ redelivery_id: this.id })
      .groupBy('status')
      .select('status')
      .count('* as count')) as unknown as { status: DeliveryStatus; count: string }[];
    const counts: DeliveryCounts = { pending: 0, delivered: 0, failed: 0, stopped: 0 };
    for (const { status, count } of rows) counts[status] = Number(count);
    return counts;
  }
}
