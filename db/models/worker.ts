import { Model } from 'objection';
import { now } from '../clock.ts';

/** A worker reports every 5 s; one that has been silent for longer than this is taken for frozen or dead. */
const SILENT_AFTER = '20 seconds';
/** How long a silent worker is still counted as one. */
const FORGOTTEN_AFTER = '10 minutes';

export interface WorkerCount {
  alive: number;
  /** Those that did not say that they end. */
  silent: number;
}

/** One row of `workers`: a worker's process. */
export class WorkerModel extends Model {
  static override tableName = 'workers';
  declare id: string;
  declare host: string;
  declare build_id: string | null;
  declare started_at: Date;
  declare seen_at: Date;

  /** Stores that the worker lives now, and forgets those that have long been silent. */
  static async report(worker: Pick<WorkerModel, 'id' | 'host' | 'build_id'>): Promise<void> {
    await WorkerModel.query()
      .insert({ ...worker, seen_at: now() })
      .onConflict('id')
      .merge(['seen_at']);
    await WorkerModel.query().delete().where('seen_at', '<', WorkerModel.raw('now() - ?::interval', FORGOTTEN_AFTER));
  }

  static async count(): Promise<WorkerCount> {
    const isAlive = 'seen_at > now() - ?::interval';
    const [count] = await WorkerModel.query()
      .select(WorkerModel.raw(`count(*) filter (where ${isAlive})::int as alive`, SILENT_AFTER))
      .select(WorkerModel.raw(`count(*) filter (where not ${isAlive})::int as silent`, SILENT_AFTER))
      .castTo<WorkerCount[]>();
    return count ?? { alive: 0, silent: 0 };
  }
}
