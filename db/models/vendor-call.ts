import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import type { CallStatus, ProviderName, Step, VendorFault } from '../../contract/constants.ts';
import type { CostItem } from '../../contract/sessions.ts';

/** What a vendor counted; null where it did not say. */
export interface CallUsage {
  /** All input tokens, cached ones included. */
  input_tokens?: number;
  cache_read_tokens?: number;
  /** All output tokens, reasoning included. */
  output_tokens?: number;
  audio_seconds?: number;
}

export interface CallError {
  fault: VendorFault | 'canceled' | 'internal';
  http_status: number | null;
  message: string;
}

/** One row of `vendor_calls`, the ledger: one call to a vendor, written before it is made and again when it ends. */
export class VendorCallModel extends Model {
  static override tableName = 'vendor_calls';
  static override idColumn = ['session_id', 'step', 'attempt'];
  static override jsonAttributes = ['usage', 'error', 'vendor_response'];
  declare session_id: string;
  declare step: Step;
  declare attempt: number;
  declare user_id: string;
  declare assistant_id: string;
  declare provider: ProviderName;
  declare model: string | null;
  declare status: CallStatus;
  declare started_at: Date;
  declare ended_at: Date | null;
  declare usage: CallUsage | null;
  /** null: the price of the model is not known. */
  declare cost_usd: number | null;
  declare error: CallError | null;
  declare vendor_request_id: string | null;
  /** A job that the vendor works on by itself; null where the answer comes with the call. */
  declare vendor_job_id: string | null;
  /** The vendor's whole answer. */
  declare vendor_response: unknown;

  /** In the order in which they were made, without the vendors' answers. */
  static findOfSession(sessionId: string) {
    return VendorCallModel.query()
      .select('step', 'attempt', 'provider', 'model', 'status', 'started_at', 'ended_at', 'usage', 'cost_usd', 'error')
      .select('vendor_request_id')
      .where({ session_id: sessionId })
      .orderBy([{ column: 'step', order: 'desc' }, 'attempt']);
  }

  /**
   * Written before the call is made; gives its number. An earlier call that is still open is lost: its worker died.
   * Undefined: the step has called `maxCalls` times since `since` already, or the user's budget of this month is spent.
   * Calls that are under way at that moment are not counted yet: what they cost is not known.
   */
  static async open(
    call: Pick<VendorCallModel, 'session_id' | 'user_id' | 'assistant_id' | 'step' | 'provider' | 'model'>,
    { since, maxCalls }: { since: Date; maxCalls: number },
  ): Promise<number | undefined> {
    const { rows } = await VendorCallModel.knex().raw<{ rows: { attempt: number }[] }>(
      `with lost as (
         update vendor_calls set status = 'lost'
         where session_id = :session_id and step = :step and status = 'running'
       )
       insert into vendor_calls (session_id, user_id, assistant_id, step, provider, model, attempt)
       select :session_id, :user_id, :assistant_id, :step, :provider, :model, coalesce(max(attempt), 0) + 1
       from vendor_calls where session_id = :session_id and step = :step
       having count(*) filter (where started_at >= :since) < :maxCalls and not exists (
         select from users where id = :user_id and monthly_budget_usd is not null and monthly_budget_usd <= (
           select coalesce(sum(cost_usd), 0) from vendor_calls
           where user_id = :user_id and started_at >= date_trunc('month', now(), 'UTC')))
       returning attempt`,
      { ...call, since, maxCalls },
    );
    return rows[0]?.attempt;
  }

  static async countSince(sessionId: string, step: Step, since: Date): Promise<number> {
    return VendorCallModel.query().where({ session_id: sessionId, step }).where('started_at', '>=', since).resultSize();
  }

  /** A job that the vendor still works on, or has ended unseen; the latest of the step. */
  static findOpenJob(sessionId: string, step: Step) {
    return VendorCallModel.query()
      .where({ session_id: sessionId, step, status: 'running' })
      .whereNotNull('vendor_job_id')
      .orderBy('attempt', 'desc')
      .first();
  }

  /** When the step's first failure since `since` was reported; a job that never ended counts from its submission. */
  static async findFailingSince(sessionId: string, step: Step, since: Date): Promise<Date | undefined> {
    const call = await VendorCallModel.query()
      .select('started_at', 'ended_at')
      .where({ session_id: sessionId, step })
      .where('started_at', '>=', since)
      // A call that a worker's shutdown cut short says nothing of the vendor.
      .where((call) =>
        call.whereRaw("status = 'failed' and error->>'fault' <> 'canceled'").orWhereNotNull('vendor_job_id'),
      )
      .orderBy('attempt')
      .first();
    return call?.ended_at ?? call?.started_at;
  }

  static async saveJob(
    { session_id, step, attempt }: Pick<VendorCallModel, 'session_id' | 'step' | 'attempt'>,
    vendor_job_id: string,
  ): Promise<void> {
    await VendorCallModel.query().patch({ vendor_job_id }).where({ session_id, step, attempt });
  }

  /** Marks the open calls of a session as lost: their worker died, and nobody knows how they ended. */
  static async closeLost(sessionId: string, trx?: TransactionOrKnex): Promise<void> {
    await VendorCallModel.query(trx).patch({ status: 'lost' }).where({ session_id: sessionId, status: 'running' });
  }

  /** Ends an open call; one that was given up as lost meanwhile has ended after all. */
  static async close(
    { session_id, step, attempt }: Pick<VendorCallModel, 'session_id' | 'step' | 'attempt'>,
    end: Partial<Pick<VendorCallModel, 'usage' | 'cost_usd' | 'error' | 'vendor_request_id' | 'vendor_response'>> & {
      status: 'succeeded' | 'failed';
    },
    trx?: TransactionOrKnex,
  ): Promise<void> {
    await VendorCallModel.query(trx)
      .patch({ ...end, ended_at: new Date() })
      .where({ session_id, step, attempt });
  }

  /** Forgets the vendors' answers of a session. */
  static eraseVendorResponses(sessionId: string, trx: TransactionOrKnex) {
    return VendorCallModel.query(trx)
      .patch({ vendor_response: null })
      .where({ session_id: sessionId })
      .whereNotNull('vendor_response');
  }

  /** What each of the sessions cost, by step, provider and model. */
  static async findCosts(sessionIds: readonly string[], trx?: TransactionOrKnex): Promise<Map<string, SessionCost>> {
    const rows = await VendorCallModel.query(trx)
      .select('session_id', 'step', 'provider', 'model')
      .select(
        VendorCallModel.raw(
          'count(*)::int as calls, sum(cost_usd) as cost_usd, bool_and(cost_usd is not null) as cost_known',
        ),
      )
      .whereIn('session_id', [...sessionIds])
      .groupBy('session_id', 'step', 'provider', 'model')
      .orderBy('step', 'desc')
      .castTo<(CostItem & { session_id: string })[]>();
    const costs = new Map(sessionIds.map((id) => [id, { total_cost: 0, cost_known: true, items: [] }]));
    for (const { session_id, ...item } of rows) {
      const cost = costs.get(session_id) as SessionCost;
      cost.items.push(item);
      cost.total_cost = roundUsd(cost.total_cost + (item.cost_usd ?? 0));
      cost.cost_known &&= item.cost_known;
    }
    return costs;
  }
}

export interface SessionCost {
  total_cost: number;
  cost_known: boolean;
  items: CostItem[];
}

/** To 10^-10 US dollars, the finest unit a vendor reports: binary fractions would show as 0.0031999999999999997. */
export function roundUsd(value: number): number {
  return Math.round(value * 1e10) / 1e10;
}
