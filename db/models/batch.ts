import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { BatchFilter } from '../../contract/batches.ts';
import type { BatchAction, BatchHold, BatchStatus } from '../../contract/constants.ts';
import type { FrozenAssistant } from '../../contract/sessions.ts';
import { now } from '../clock.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';
import { KEY_KEPT } from './idempotency-key.ts';
import { UserModel } from './user.ts';

/** One row of `batches`: one action over all sessions of a filter. */
export class BatchModel extends Model {
  static override tableName = 'batches';
  static override jsonAttributes = ['filter', 'conditions', 'settings'];
  declare id: string;
  declare user_id: string;
  declare action: BatchAction;
  /** As it was asked for; times are ISO 8601. */
  declare filter: BatchFilter;
  /** What the filter was read as. */
  declare conditions: unknown;
  /** Of a reanalysis: the settings of the new sessions, but for those of the transcription; else null. */
  declare settings: FrozenAssistant | null;
  /** The assistant's version that the settings are; null: they are none. */
  declare assistant_version: number | null;
  /** True if a stand-in answers with these settings. */
  declare simulated: boolean;
  declare notify: boolean;
  declare status: BatchStatus;
  declare held_by: BatchHold | null;
  /** US dollars that it is to cost at most; null: as much as it takes. */
  declare max_cost_usd: number | null;
  /** The client's own name of the request; null: it gave none. */
  declare idempotency_key: string | null;
  /** SHA-256 of what was asked for under the key. */
  declare payload_hash: Buffer | null;
  /** Sessions that matched when it was asked for. */
  declare total: number;
  declare begun: number;
  declare completed: number;
  declare failed: number;
  declare canceled: number;
  declare cost_usd: number;
  declare last_id: string;
  declare created_at: Date;
  declare ended_at: Date | null;

  /**
   * Stores a batch, unless its key stands for one already. Returns the batch and whether it is new; undefined if its
   * owner has as many that have not ended as may be.
   */
  static create(row: NewBatch, maxRunning: number): Promise<CreatedBatch | undefined> {
    return BatchModel.transaction(async (trx) => {
      await UserModel.query(trx).select('id').findById(row.user_id).forNoKeyUpdate();
      const held = await BatchModel.findByKey(row.user_id, row.idempotency_key ?? undefined, trx);
      if (held) return { batch: held, isNew: false };
      const running = BatchModel.query(trx).where({ user_id: row.user_id }).whereNull('ended_at');
      if ((await running.resultSize()) >= maxRunning) return undefined;
      const batch = await BatchModel.query(trx)
        .insert({ id: typeid('bat').toString(), ...row })
        .returning('*');
      return { batch, isNew: true };
    });
  }

  /** Returns the batch that the user's key stands for; undefined if there is none. */
  static async findByKey(
    user_id: string,
    idempotency_key: string | undefined,
    trx?: TransactionOrKnex,
  ): Promise<BatchModel | undefined> {
    if (idempotency_key === undefined) return undefined;
    return BatchModel.query(trx)
      .findOne({ user_id, idempotency_key })
      .where('created_at', '>=', BatchModel.raw(`now() - ${KEY_KEPT}`))
      .orderBy('id', 'desc');
  }

  static findOwned(userId: string, id: string) {
    return BatchModel.query().findOne({ id, user_id: userId });
  }

  static findOwnedPage(userId: string, { status }: { status?: BatchStatus | undefined }, page: PageRequest) {
    const query = BatchModel.query().where({ user_id: userId });
    if (status !== undefined) query.where({ status });
    return findPage(query, page);
  }

  /**
   * Reads the row under a lock. All batches of one user take turns, so that together they begin no more sessions than
   * may be under way.
   */
  static async lock(id: string, trx: TransactionOrKnex): Promise<BatchModel | undefined> {
    const batch = await BatchModel.query(trx).findById(id);
    if (!batch) return undefined;
    await BatchModel.query(trx).where({ user_id: batch.user_id }).whereNull('ended_at').orderBy('id').forUpdate();
    return BatchModel.query(trx).findById(id);
  }

  /** Finds those that have not ended and were asked for more than `age_s` seconds ago. */
  static findUnfinished(age_s: number) {
    return BatchModel.query()
      .select('id')
      .whereNull('ended_at')
      .where('created_at', '<', BatchModel.raw("now() - ? * interval '1 second'", age_s));
  }

  /** Changes what it may cost; undefined if it has ended or is being canceled. */
  static async setMaxCost(userId: string, id: string, max_cost_usd: number | null): Promise<BatchModel | undefined> {
    const [row] = await BatchModel.query()
      .patch({ max_cost_usd })
      .where({ id, user_id: userId, status: 'running' })
      .returning('*');
    return row;
  }

  /** Has nothing more begun. Returns false if the batch has ended or is being canceled already. */
  static async cancel(userId: string, id: string): Promise<boolean> {
    return (
      (await BatchModel.query().patch({ status: 'canceling' }).where({ id, user_id: userId, status: 'running' })) === 1
    );
  }

  /** Ends it; one that has ended stays as it is. */
  static async end(id: string, status: 'completed' | 'canceled', trx?: TransactionOrKnex): Promise<void> {
    await BatchModel.query(trx).patch({ status, held_by: null, ended_at: now() }).where({ id }).whereNull('ended_at');
  }
}

export type NewBatch = Pick<
  BatchModel,
  'user_id' | 'action' | 'filter' | 'conditions' | 'settings' | 'assistant_version' | 'simulated' | 'notify' | 'total'
> &
  Partial<Pick<BatchModel, 'max_cost_usd' | 'idempotency_key' | 'payload_hash'>>;

export interface CreatedBatch {
  batch: BatchModel;
  /** False if the key stood for it before. */
  isNew: boolean;
}
