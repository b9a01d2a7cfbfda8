import { Model, raw, type TransactionOrKnex } from 'objection';
import type { FailureSaid } from '../../contract/errors/failures.ts';
import type { CallStatus, FieldEncoding, ProviderName, Step, ProviderFault } from '../../contract/values/constants.ts';
import type { CallTier } from '../../contract/sessions/timeline.ts';
import type { CostItem } from '../../contract/sessions/sessions.ts';
import { roundUsd, type CallUsage } from '../../runtime/prices/call-usage.ts';
import { runPrepared } from '../statements.ts';
import { CLOSE } from './call-cost.ts';

/** How a model was called. */
export interface StoredCallSettings {
  /** null: not sent. */
  temperature: number | null;
  /** null: no fields. */
  encoding: FieldEncoding | null;
  /** Parameters that the model refused. */
  left_out?: string[];
  /** True if no JSON was requested. */
  is_free?: boolean;
}

/** Errors that an earlier release stored may have no reason. */
export interface CallError extends Omit<FailureSaid, 'reason'>, Partial<Pick<FailureSaid, 'reason'>> {
  fault: ProviderFault | 'canceled' | 'internal';
  http_status: number | null;
  /** What the provider called the error: identifiers, never sentences. */
  code?: string | null;
  type?: string | null;
  param?: string | null;
}

/** One row of `provider_calls`, the ledger: a call to a provider, inserted before the call and updated after it. */
export class ProviderCallModel extends Model {
  static override tableName = 'provider_calls';
  static override idColumn = ['session_id', 'step', 'attempt'];
  static override jsonAttributes = ['usage', 'error', 'provider_response', 'settings'];
  declare session_id: string;
  declare step: Step;
  declare attempt: number;
  declare workspace_id: string;
  declare assistant_id: string;
  declare provider: ProviderName;
  declare model: string | null;
  declare status: CallStatus;
  declare started_at: Date;
  declare ended_at: Date | null;
  declare usage: CallUsage | null;
  /** US dollars; null: the price is unknown. */
  declare cost_usd: number | null;
  /** US dollars that budgets reserve until the cost is known; null: none. */
  declare reserved_usd: number | null;
  declare error: CallError | null;
  declare provider_request_id: string | null;
  /** ID of an asynchronous job at the provider; null: none. */
  declare provider_job_id: string | null;
  /** The provider's complete response. */
  declare provider_response: unknown;
  /** What the provider said about a call that it refused, without secrets; it may quote the conversation. */
  declare provider_message: string | null;
  /** Set for calls of economy. */
  declare tier: CallTier | null;
  /** Set on a response that was stored before it was checked, so that a retry can check it. */
  declare settings: StoredCallSettings | null;

  /** Finds the calls of a session in order, without the responses. */
  static findOfSession(sessionId: string) {
    return ProviderCallModel.query()
      .select('step', 'attempt', 'provider', 'model', 'status', 'started_at', 'ended_at', 'usage', 'cost_usd', 'error')
      .select('provider_request_id', 'provider_message', 'tier')
      .where({ session_id: sessionId })
      .orderBy([{ column: 'step', order: 'desc' }, 'attempt']);
  }

  /** The ID of the call within its session: `analysis-1`. */
  get callId(): string {
    return `${this.step}-${this.attempt}`;
  }

  static findByCallId(sessionId: string, callId: string) {
    const [step = '', attempt] = callId.split('-');
    return ProviderCallModel.query().findById([sessionId, step, Number(attempt)]);
  }

  /**
   * Inserts a call's row before the call. Returns its number, or the reason why the call must not be made. Marks an open call
   * of the step as lost, unless it is a job: its worker died. docs/decisions.md, "Monthly budget".
   */
  static async open(call: CallToOpen, { since, maxCalls, budgets }: OpenLimits): Promise<OpenedCall> {
    const { maxUsd: max, installationUsd: installation } = budgets;
    const [opened] = await runPrepared<OpenedCall>(
      `select opened.*, coalesce((
         select sum(cost_usd) from provider_calls where session_id = :sessionId), 0) as cost_before
       from open_provider_call(:call, :since, :maxCalls, :max, :installation) opened`,
      { sessionId: call.session_id, call: JSON.stringify(call), since, maxCalls, max, installation },
    );
    return opened as OpenedCall;
  }

  /**
   * Finds the provider's latest job for the step whose result has not been read: of this run, or of an earlier one that
   * ended in the last day without it.
   */
  static findOpenJob({ session_id, step, provider }: Pick<ProviderCallModel, 'session_id' | 'step' | 'provider'>) {
    return ProviderCallModel.query()
      .where({ session_id, step, provider })
      .whereIn('status', ['running', 'lost'])
      .whereNotNull('provider_job_id')
      .where('started_at', '>', ProviderCallModel.raw("now() - interval '1 day'"))
      .orderBy('attempt', 'desc')
      .first();
  }

  /** Finds the stored responses of a run's analysis that have not been checked, in order. */
  static findUnchecked(
    { session_id, provider, model }: Pick<ProviderCallModel, 'session_id' | 'provider' | 'model'>,
    since: Date,
  ) {
    return ProviderCallModel.query()
      .select('settings', 'provider_response')
      .where({ session_id, step: 'analysis', provider, model, status: 'succeeded' })
      .where('started_at', '>=', since)
      .whereNotNull('settings')
      .whereNotNull('provider_response')
      .orderBy('attempt');
  }

  static async saveJob({ session_id, step, attempt }: CallKey, provider_job_id: string): Promise<void> {
    await ProviderCallModel.query().patch({ provider_job_id }).where({ session_id, step, attempt });
  }

  /** Marks the open calls of a session as lost: their worker died. */
  static async closeLost(sessionId: string, trx?: TransactionOrKnex): Promise<void> {
    await ProviderCallModel.query(trx).patch(LOST).where({ session_id: sessionId, status: 'running' });
  }

  /** Marks calls as lost that have been open for a day: their worker died and their session was deleted. Returns their number. */
  static async closeAbandoned(): Promise<number> {
    return ProviderCallModel.query()
      .patch(LOST)
      .where({ status: 'running' })
      .where('started_at', '<', ProviderCallModel.raw("now() - interval '1 day'"));
  }

  /**
   * Ends a call, also one that was marked as lost too early, and adds its cost to the session. The provider's texts are not
   * stored if the session is deleted.
   */
  static async close(key: CallKey, end: CallEnd, trx?: TransactionOrKnex): Promise<void> {
    await runPrepared(CLOSE, { id: key.session_id, call: JSON.stringify({ ...end, ...key }) }, trx);
  }

  /** Returns the cost of each session, by step, provider and model. */
  static async findCosts(sessionIds: readonly string[], trx?: TransactionOrKnex): Promise<Map<string, SessionCost>> {
    const rows = await ProviderCallModel.query(trx)
      .select('session_id', 'step', 'provider', 'model', ProviderCallModel.raw(COST_COLUMNS))
      .whereIn('session_id', [...sessionIds])
      .groupBy('session_id', 'step', 'provider', 'model')
      .orderBy('step', 'desc')
      .castTo<(CostItem & { session_id: string })[]>();
    const items = new Map(sessionIds.map((id): [string, CostItem[]] => [id, []]));
    for (const { session_id, ...item } of rows) items.get(session_id)?.push(item);
    return new Map([...items].map(([id, ofSession]) => [id, addUpCosts(ofSession)]));
  }
}

export const COST_COLUMNS =
  'count(*)::int as calls, sum(cost_usd) as cost_usd, bool_and(cost_usd is not null) as cost_known';

/** A lost call reserves nothing: whether the provider charged for it is unknown. A lost job was accepted, so its estimate counts. */
const LOST = {
  status: 'lost',
  reserved_usd: raw('case when provider_job_id is not null then reserved_usd end') as never,
} as const;

type CallToOpen = Pick<
  ProviderCallModel,
  'session_id' | 'workspace_id' | 'assistant_id' | 'step' | 'provider' | 'model' | 'reserved_usd'
>;

/** Limits in US dollars per calendar month (UTC); null: none. */
export interface BudgetLimits {
  /** Upper limit of every workspace's budget, and of all workspaces of an owner together. */
  maxUsd: number | null;
  /** Limit for all workspaces together. */
  installationUsd: number | null;
}

interface OpenLimits {
  /** Start of the run. Calls of the step since then count for `maxCalls`, except failed ones. */
  since: Date;
  maxCalls: number;
  budgets: BudgetLimits;
}

/** `budget_reserved`: running calls may use up the rest of the budget. `session_ended`: ended or deleted. */
type CallRefusal =
  | 'too_many_calls'
  | 'budget_spent'
  | 'installation_budget_spent'
  | 'budget_reserved'
  | 'session_ended';

export type OpenedCall = ({ attempt: number; refusal: null } | { attempt: null; refusal: CallRefusal }) & {
  /** Cost of the session's earlier calls, in US dollars. */
  cost_before: number;
};

type CallKey = Pick<ProviderCallModel, 'session_id' | 'step' | 'attempt'>;

export type CallEnd = Partial<
  Pick<
    ProviderCallModel,
    | 'usage'
    | 'cost_usd'
    | 'reserved_usd'
    | 'error'
    | 'provider_request_id'
    | 'provider_response'
    | 'provider_message'
    | 'settings'
    | 'tier'
  >
> & { status: 'succeeded' | 'failed' };

export type ClosedCall = CallKey & CallEnd;

export interface SessionCost {
  total_cost: number;
  cost_known: boolean;
  items: CostItem[];
}

export function addUpCosts(items: CostItem[]): SessionCost {
  return {
    total_cost: roundUsd(items.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)),
    cost_known: items.every(({ cost_known }) => cost_known),
    items,
  };
}
