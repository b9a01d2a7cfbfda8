import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { DeliveryStatus, RedeliveryStatus } from '../../contract/values/constants.ts';
import { now } from '../statements.ts';
import { findPage, whereGiven } from '../page.ts';
import type { CreatedFilter, PageRequest } from '../page.ts';
import { DeliveryModel } from './delivery.ts';

/** The filter of the request. */
interface RedeliveryFilter extends CreatedFilter {
  delivery_id?: string[] | undefined;
  status?: 'failed' | 'stopped' | undefined;
  assistant_id?: string | undefined;
}

/** The matching deliveries of one assistant. */
export interface RedeliveryPreviewRow {
  assistant_id: string;
  total: number;
  oldest: Date;
  newest: Date;
}

type DeliveryCounts = Record<DeliveryStatus, number>;

/** One row of `redeliveries`: a run that redelivers many deliveries. */
export class RedeliveryModel extends Model {
  static override tableName = 'redeliveries';
  static override jsonAttributes = ['filter'];
  declare id: string;
  declare workspace_id: string;
  declare filter: RedeliveryFilter;
  declare status: RedeliveryStatus;
  declare total: number;
  /** Number of deliveries created so far. */
  declare started: number;
  declare last_id: string;
  declare created_at: Date;
  declare ended_at: Date | null;

  static async create(workspaceId: string, filter: RedeliveryFilter): Promise<RedeliveryModel> {
    return RedeliveryModel.transaction(async (trx) => {
      const row = { id: typeid('rdl').toString(), workspace_id: workspaceId, filter };
      const created = await RedeliveryModel.query(trx)
        .insert({ ...row, total: 0 })
        .returning('*');
      const total = await created.findMatching(trx).resultSize();
      return created.$query(trx).patchAndFetch({ total });
    });
  }

  /** Counts the deliveries that a redelivery with this filter would create. */
  static async preview(workspaceId: string, filter: RedeliveryFilter): Promise<RedeliveryPreviewRow[]> {
    const wouldBe = RedeliveryModel.fromJson({ workspace_id: workspaceId, filter, last_id: '' });
    return wouldBe
      .findMatching()
      .groupBy('assistant_id')
      .select('assistant_id')
      .select(RedeliveryModel.raw('count(*)::int as total, min(created_at) as oldest, max(created_at) as newest'))
      .orderBy('total', 'desc')
      .castTo<RedeliveryPreviewRow[]>();
  }

  static findOwnedPage(workspaceId: string, { status }: { status?: RedeliveryStatus | undefined }, page: PageRequest) {
    return findPage(whereGiven(RedeliveryModel.query(), { workspace_id: workspaceId, status }), page);
  }

  static findOwned(workspaceId: string, id: string) {
    return RedeliveryModel.query().findOne({ id, workspace_id: workspaceId });
  }

  /**
   * Locks all redeliveries of the workspace and returns this one. Each sees the deliveries that the others created, so that
   * none is redelivered twice.
   */
  static async lock(id: string, trx: TransactionOrKnex): Promise<RedeliveryModel | undefined> {
    const run = await RedeliveryModel.query(trx).findById(id);
    if (!run) return undefined;
    await RedeliveryModel.query(trx).where({ workspace_id: run.workspace_id }).orderBy('id').forUpdate();
    return RedeliveryModel.query(trx).findById(id);
  }

  /** Finds running redeliveries created more than `age_s` seconds ago. */
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
   * Finds the deliveries that are still to be redelivered. Excludes deliveries that ended after the redelivery was created,
   * and those whose payload was sent again later: their latest redelivery is included if it failed too.
   */
  findMatching(trx?: TransactionOrKnex) {
    const { delivery_id, ...given } = this.filter;
    const query = whereGiven(DeliveryModel.query(trx), { workspace_id: this.workspace_id, ...given });
    if (delivery_id) query.whereIn('id', [...delivery_id]);
    return query
      .where('ended_at', '<=', this.created_at ?? now())
      .where('id', '>', this.last_id)
      .whereNotExists(
        DeliveryModel.query(trx)
          .alias('replay')
          .select(1)
          .whereRaw('replay.replayed_from = coalesce(deliveries.replayed_from, deliveries.id)')
          .whereRaw('(replay.created_at, replay.id) > (deliveries.created_at, deliveries.id)'),
      );
  }

  /** Returns the number of created deliveries that have not ended. */
  countPending(trx: TransactionOrKnex): Promise<number> {
    return DeliveryModel.query(trx).where({ redelivery_id: this.id, status: 'pending' }).resultSize();
  }

  /** Counts the created deliveries by status. */
  async countDeliveries(): Promise<DeliveryCounts> {
    const rows = (await DeliveryModel.query()
      .where({ redelivery_id: this.id })
      .groupBy('status')
      .select('status')
      .count('* as count')) as unknown as { status: DeliveryStatus; count: string }[];
    const counts: DeliveryCounts = { pending: 0, delivered: 0, failed: 0, stopped: 0 };
    for (const { status, count } of rows) counts[status] = Number(count);
    return counts;
  }
}
