import { Model, type TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { Batch, BatchFilter } from '../../contract/sessions/batches.ts';
import type { BatchAction, BatchHold, BatchStatus } from '../../contract/values/constants.ts';
import type { FrozenAssistant } from '../../contract/sessions/sessions.ts';
import { now } from '../statements.ts';
import { findPage, whereGiven, type PageRequest } from '../page.ts';
import { KEY_KEPT } from './idempotency-key.ts';
import { WorkspaceModel } from './workspace.ts';

/** One row of `batches`: one action over all sessions of a filter. */
export class BatchModel extends Model {
  static override tableName = 'batches';
  static override jsonAttributes = ['filter', 'conditions', 'settings', 'overrides'];
  declare id: string;
  declare workspace_id: string;
  declare name: string | null;
  declare action: BatchAction;
  /** The filter of the request. Times are in ISO 8601. */
  declare filter: BatchFilter;
  /** The parsed filter. */
  declare conditions: unknown;
  /** Settings of the new sessions of a reanalysis, except those for transcription; otherwise null. */
  declare settings: FrozenAssistant | null;
  /** The overrides of the request; null: none. */
  declare overrides: Batch['overrides'];
  /** Version of the assistant with these settings; null: none. */
  declare assistant_version: number | null;
  /** True if a stand-in replaces the provider of these settings. */
  declare simulated: boolean;
  declare notify: boolean;
  declare status: BatchStatus;
  declare held_by: BatchHold | null;
  /** Cost limit in US dollars; null: none. */
  declare max_cost_usd: number | null;
  /** null: none. */
  declare idempotency_key: string | null;
  /** SHA-256 of the request. */
  declare payload_hash: Buffer | null;
  /** ID of the API token or user. */
  declare created_by: string | null;
  /** Number of sessions that matched when it was created. */
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
   * Stores a batch, unless a batch with its idempotency key exists. Returns undefined if the workspace has `maxRunning`
   * unfinished batches.
   */
  static create(row: NewBatch, maxRunning: number): Promise<CreatedBatch | undefined> {
    return BatchModel.transaction(async (trx) => {
      await WorkspaceModel.lock(row.workspace_id, trx);
      const held = await BatchModel.findByKey(row.workspace_id, row.idempotency_key ?? undefined, trx);
      if (held) return { batch: held, isNew: false };
      const running = BatchModel.query(trx).where({ workspace_id: row.workspace_id }).whereNull('ended_at');
      if ((await running.resultSize()) >= maxRunning) return undefined;
      const batch = await BatchModel.query(trx)
        .insert({ id: typeid('bat').toString(), ...row })
        .returning('*');
      return { batch, isNew: true };
    });
  }

  /** Returns the batch of an idempotency key that has not expired. */
  static async findByKey(
    workspace_id: string,
    idempotency_key: string | undefined,
    trx?: TransactionOrKnex,
  ): Promise<BatchModel | undefined> {
    if (idempotency_key === undefined) return undefined;
    return BatchModel.query(trx)
      .findOne({ workspace_id, idempotency_key })
      .where('created_at', '>=', BatchModel.raw(`now() - ${KEY_KEPT}`))
      .orderBy('id', 'desc');
  }

  static findOwned(workspaceId: string, id: string) {
    return BatchModel.query().findOne({ id, workspace_id: workspaceId });
  }

  static findOwnedPage(
    workspaceId: string,
    { assistant_id, ...exact }: { [K in 'status' | 'action' | 'assistant_id']?: string | undefined },
    page: PageRequest,
  ) {
    const query = whereGiven(BatchModel.query(), { workspace_id: workspaceId, ...exact });
    if (assistant_id !== undefined) query.whereRaw("filter ->> 'assistant_id' = ?", assistant_id);
    return findPage(query, page);
  }

  /**
   * Locks all unfinished batches of the workspace and returns this one, so that together they stay below the limit of
   * running sessions.
   */
  static async lock(id: string, trx: TransactionOrKnex): Promise<BatchModel | undefined> {
    const batch = await BatchModel.query(trx).findById(id);
    if (!batch) return undefined;
    await BatchModel.query(trx)
      .where({ workspace_id: batch.workspace_id })
      .whereNull('ended_at')
      .orderBy('id')
      .forUpdate();
    return BatchModel.query(trx).findById(id);
  }

  /** Finds unfinished batches created more than `age_s` seconds ago. */
  static findUnfinished(age_s: number) {
    return BatchModel.query()
      .select('id')
      .whereNull('ended_at')
      .where('created_at', '<', BatchModel.raw("now() - ? * interval '1 second'", age_s));
  }

  /** Changes the cost limit. Returns undefined if the batch is not running. */
  static async setMaxCost(
    workspaceId: string,
    id: string,
    max_cost_usd: number | null,
  ): Promise<BatchModel | undefined> {
    const [row] = await BatchModel.query()
      .patch({ max_cost_usd })
      .where({ id, workspace_id: workspaceId, status: 'running' })
      .returning('*');
    return row;
  }

  /** Starts canceling. Returns false if the batch is not running. */
  static async cancel(workspaceId: string, id: string): Promise<boolean> {
    const running = BatchModel.query().where({ id, workspace_id: workspaceId, status: 'running' });
    return (await running.patch({ status: 'canceling' })) === 1;
  }

  /** Ends a batch that has not ended. */
  static async end(id: string, status: 'completed' | 'canceled', trx?: TransactionOrKnex): Promise<void> {
    // The filter of a batch that deletes may name the person whose data it erased.
    const erased = (column: string) =>
      BatchModel.raw(`case action when 'delete' then '{"erased": true}' else ${column} end`);
    await BatchModel.query(trx)
      .patch({ status, held_by: null, ended_at: now(), filter: erased('filter'), conditions: erased('conditions') })
      .where({ id })
      .whereNull('ended_at');
  }

  /** Removes batches that ended more than a year ago. Returns their number. */
  static async removeExpired(): Promise<number> {
    return BatchModel.query().delete().where('ended_at', '<', BatchModel.raw("now() - interval '1 year'"));
  }
}

export type NewBatch = Pick<
  BatchModel,
  | 'workspace_id'
  | 'action'
  | 'filter'
  | 'conditions'
  | 'settings'
  | 'assistant_version'
  | 'simulated'
  | 'notify'
  | 'total'
> &
  Partial<Pick<BatchModel, 'created_by' | 'name' | 'overrides' | 'max_cost_usd' | 'idempotency_key' | 'payload_hash'>>;

export interface CreatedBatch {
  batch: BatchModel;
  /** False: the key existed. */
  isNew: boolean;
}
