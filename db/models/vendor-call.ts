import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { STATUS_OF_STEP } from '../../contract/constants.ts';
import type { CallStatus, ProviderName, Step, VendorFault } from '../../contract/constants.ts';
import type { CostItem } from '../../contract/sessions.ts';
import { runPrepared } from '../prepared.ts';

/** The vendor's counts of one call; null where it did not say. */
export interface CallUsage {
  /** Input tokens, cached ones included. */
  input_tokens?: number;
  cache_read_tokens?: number;
  /** Output tokens, reasoning included. */
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
  /** Cost in US dollars; null where the price of the model is not known. */
  declare cost_usd: number | null;
  /** US dollars that the call counts for in budgets until its cost is known; null for nothing. */
  declare reserved_usd: number | null;
  declare error: CallError | null;
  declare vendor_request_id: string | null;
  /** Id of a job that the vendor works on by itself; null where the answer comes with the call. */
  declare vendor_job_id: string | null;
  /** The vendor's whole answer, as it came. */
  declare vendor_response: unknown;

  /** Finds the calls of a session in the order in which they were made, without the vendors' answers. */
  static findOfSession(sessionId: string) {
    return VendorCallModel.query()
      .select('step', 'attempt', 'provider', 'model', 'status', 'started_at', 'ended_at', 'usage', 'cost_usd', 'error')
      .select('vendor_request_id')
      .where({ session_id: sessionId })
      .orderBy([{ column: 'step', order: 'desc' }, 'attempt']);
  }

  /** Names the call among those of its session: `analysis-1`. */
  get callId(): string {
    return `${this.step}-${this.attempt}`;
  }

  static findByCallId(sessionId: string, callId: string) {
    const [step = '', attempt] = callId.split('-');
    return VendorCallModel.query().findById([sessionId, step, Number(attempt)]);
  }

  /**
   * Writes a call's row before the call is made. Returns its number, or the reason why the call must not be made. A
   * session whose step has not begun gets its slot with it. An earlier call of the step that is still open is marked as
   * lost: its worker died. docs/decisions.md, "Monthly budget".
   */
  static async open(call: CallToOpen, { since, maxCalls, maxInFlight, budgets }: OpenLimits): Promise<OpenedCall> {
    const { maxUsd: max, installationUsd: installation } = budgets;
    const bindings = {
      ...{ sessionId: call.session_id, call: JSON.stringify(call), status: STATUS_OF_STEP[call.step] },
      ...{ maxInFlight, since, maxCalls, max, installation },
    };
    const open = async () => {
      const [opened] = await runPrepared<OpenedCall>(
        `select opened.*, cost_of_session(:sessionId) as cost_before
         from begin_vendor_call(:call, :status, :maxInFlight, :since, :maxCalls, :max, :installation) opened`,
        bindings,
      );
      return opened as OpenedCall;
    };
    const opened = await open();
    // The second time it is on record that the session waits: who ended in between did not see it.
    return opened.refusal === 'no_slot' ? open() : opened;
  }

  /** Finds the step's latest job that the vendor still works on, or that ended without anybody reading its result. */
  static findOpenJob(sessionId: string, step: Step) {
    return VendorCallModel.query()
      .where({ session_id: sessionId, step, status: 'running' })
      .whereNotNull('vendor_job_id')
      .orderBy('attempt', 'desc')
      .first();
  }

  /**
   * Returns when the step's first failure since `since` was reported. A job that never ended counts from its
   * submission.
   */
  static async findFailingSince(sessionId: string, step: Step, since: Date): Promise<Date | undefined> {
    const call = await VendorCallModel.query()
      .select('started_at', 'ended_at')
      .where({ session_id: sessionId, step })
      .where('started_at', '>=', since)
      // A call that a worker's shutdown cut short does not show that the vendor fails.
      .where((call) =>
        call.whereRaw("status = 'failed' and error->>'fault' <> 'canceled'").orWhereNotNull('vendor_job_id'),
      )
      .orderBy('attempt')
      .first();
    return call?.ended_at ?? call?.started_at;
  }

  static async saveJob({ session_id, step, attempt }: CallKey, vendor_job_id: string): Promise<void> {
    await VendorCallModel.query().patch({ vendor_job_id }).where({ session_id, step, attempt });
  }

  /** Marks the open calls of a session as lost: their worker died, and nobody knows how they ended. */
  static async closeLost(sessionId: string, trx?: TransactionOrKnex): Promise<void> {
    await VendorCallModel.query(trx).patch(LOST).where({ session_id: sessionId, status: 'running' });
  }

  /**
   * Marks open calls as lost that no step can be making any more: their session was deleted while their worker was
   * dead. Returns how many there were.
   */
  static async closeAbandoned(): Promise<number> {
    return VendorCallModel.query()
      .patch(LOST)
      .where({ status: 'running' })
      .where('started_at', '<', VendorCallModel.raw("now() - interval '1 day'"));
  }

  /** Ends an open call, or one that was marked as lost too early. */
  static async close(
    { session_id, step, attempt }: CallKey,
    end: CallEnd & { ended_at?: Date },
    trx?: TransactionOrKnex,
  ): Promise<void> {
    await VendorCallModel.query(trx)
      .patch({ ended_at: new Date(), ...end })
      .where({ session_id, step, attempt });
  }

  /** Erases the vendors' answers of a session. */
  static eraseVendorResponses(sessionId: string, trx: TransactionOrKnex) {
    return VendorCallModel.query(trx)
      .patch({ vendor_response: null })
      .where({ session_id: sessionId })
      .whereNotNull('vendor_response');
  }

  /** Returns the cost of each session, by step, provider and model. */
  static async findCosts(sessionIds: readonly string[], trx?: TransactionOrKnex): Promise<Map<string, SessionCost>> {
    const rows = await VendorCallModel.query(trx)
      .select('session_id', 'step', 'provider', 'model', VendorCallModel.raw(COST_COLUMNS))
      .whereIn('session_id', [...sessionIds])
      .groupBy('session_id', 'step', 'provider', 'model')
      .orderBy('step', 'desc')
      .castTo<(CostItem & { session_id: string })[]>();
    const items = new Map(sessionIds.map((id): [string, CostItem[]] => [id, []]));
    for (const { session_id, ...item } of rows) items.get(session_id)?.push(item);
    return new Map([...items].map(([id, ofSession]) => [id, addUpCosts(ofSession)]));
  }
}

/** What a cost item says of the calls that it sums up. */
export const COST_COLUMNS =
  'count(*)::int as calls, sum(cost_usd) as cost_usd, bool_and(cost_usd is not null) as cost_known';

/** A lost call reserves nothing: nobody knows whether the vendor charged for it. */
const LOST = { status: 'lost', reserved_usd: null } as const;

type CallToOpen = Pick<
  VendorCallModel,
  'session_id' | 'user_id' | 'assistant_id' | 'step' | 'provider' | 'model' | 'reserved_usd'
>;

/** Bounds in US dollars of a calendar month (UTC); null for none. */
export interface BudgetLimits {
  /** Bound that every user's budget stays within. */
  maxUsd: number | null;
  /** Bound of all users together. */
  installationUsd: number | null;
}

interface OpenLimits {
  /** Start of the run. Only calls of the step made since then are counted. */
  since: Date;
  maxCalls: number;
  /** Sessions of one user that may be in flight. */
  maxInFlight: number;
  budgets: BudgetLimits;
}

/**
 * `budget_reserved` means that the calls under way may use up what is left; once they have ended, that is known.
 * `no_slot` means that the session must wait for one, has ended, or is gone.
 */
export type CallRefusal =
  | 'too_many_calls'
  | 'budget_spent'
  | 'installation_budget_spent'
  | 'budget_reserved'
  | 'no_slot';

export type OpenedCall = ({ attempt: number; refusal: null } | { attempt: null; refusal: CallRefusal }) & {
  /** What the session's earlier calls cost, in US dollars. */
  cost_before: number;
};

/** Names a call among all. */
export type CallKey = Pick<VendorCallModel, 'session_id' | 'step' | 'attempt'>;

/** How a call ended. */
export type CallEnd = Partial<
  Pick<VendorCallModel, 'usage' | 'cost_usd' | 'reserved_usd' | 'error' | 'vendor_request_id' | 'vendor_response'>
> & { status: 'succeeded' | 'failed' };

/** A call and its end, as its row is to say. */
export type ClosedCall = CallKey & CallEnd & { ended_at: Date };

export interface SessionCost {
  total_cost: number;
  cost_known: boolean;
  items: CostItem[];
}

/** Returns the cost of a session whose calls cost this. */
export function addUpCosts(items: CostItem[]): SessionCost {
  return {
    total_cost: roundUsd(items.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)),
    cost_known: items.every(({ cost_known }) => cost_known),
    items,
  };
}

/**
 * Rounds to 10^-10 US dollars, the finest unit that a vendor reports. Binary fractions would show as
 * 0.0031999999999999997.
 */
export function roundUsd(value: number): number {
  return Math.round(value * 1e10) / 1e10;
}
