import { Model } from 'objection';
import type { ProviderFault, ProviderName, Step } from '../../contract/values/constants.ts';
import type { OpenCircuit } from '../../contract/service/service.ts';
import { now, readRows, type RowOf } from '../statements.ts';

/** Workers report every 5 s. */
const SILENT_AFTER = '20 seconds';
/** Silent workers are deleted after this time. */
const FORGOTTEN_AFTER = '10 minutes';

interface WorkerCount {
  alive: number;
  /** The releases of the live workers. Null: without one, such a worker receives new workflows while no release is current. */
  releases: (string | null)[];
  /** Workers that stopped reporting without a clean shutdown. */
  silent: number;
}

/** An open circuit of a worker. */
export interface ReportedCircuit {
  provider: ProviderName;
  step: Step;
  reason: ProviderFault;
  /** How long it had been open when it was reported. */
  open_ms: number;
}

/** One row of `workers`: a process. */
export class WorkerModel extends Model {
  static override tableName = 'workers';
  static override jsonAttributes = ['circuits'];
  declare id: string;
  declare host: string;
  declare build_id: string | null;
  declare started_at: Date;
  declare seen_at: Date;
  declare circuits: ReportedCircuit[];

  /** Stores a report and deletes workers that have been silent for long. */
  static async report(worker: Pick<WorkerModel, 'id' | 'host' | 'build_id' | 'circuits'>): Promise<void> {
    await WorkerModel.query()
      .insert({ ...worker, seen_at: now() })
      .onConflict('id')
      .merge(['seen_at', 'circuits']);
    await WorkerModel.query().delete().where('seen_at', '<', WorkerModel.raw('now() - ?::interval', FORGOTTEN_AFTER));
  }

  /** Returns the open circuits of all live workers: per provider and step the earliest. */
  static findOpenCircuits(): Promise<RowOf<OpenCircuit>[]> {
    return readRows(
      `select provider, step, min(reason) as reason, min(seen_at - open_ms * interval '1 millisecond') as since
       from workers, jsonb_to_recordset(circuits) as open (provider text, step text, reason text, open_ms float8)
       where seen_at > now() - cast(? as interval) group by provider, step order by provider, step`,
      [SILENT_AFTER],
    );
  }

  static async count(): Promise<WorkerCount> {
    const [count] = await readRows<WorkerCount[]>(
      `select count(*) filter (where is_alive)::int as alive, count(*) filter (where not is_alive)::int as silent,
         coalesce(array_agg(distinct build_id) filter (where is_alive), '{}') as releases
       from (select build_id, seen_at > now() - cast(? as interval) as is_alive from workers) as seen`,
      [SILENT_AFTER],
    );
    return count ?? { alive: 0, releases: [], silent: 0 };
  }

  /** Returns the time of the last report of any worker. */
  static async findLastSeen(): Promise<Date | undefined> {
    return (await WorkerModel.query().select('seen_at').orderBy('seen_at', 'desc').first())?.seen_at;
  }
}
