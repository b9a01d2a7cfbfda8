/** Counts and percentiles of a workspace's sessions, calls and deliveries in a period. */
import { DELIVERY_FAILURES, DELIVERY_STATUSES, SESSION_STATUSES } from '../../contract/values/constants.ts';
import type {
  Percentiles,
  StatsInterval,
  SessionFailures,
  StatsReport,
  StatsRow,
  StatsTotals,
} from '../../contract/service/stats.ts';
import { roundUsd } from '../../runtime/prices/call-usage.ts';
import { inSnapshot, readRows, type RowOf } from '../statements.ts';
import { SENT_LATER } from './batch-sources.ts';
import { OCCURRED } from './filter-sessions.ts';
import { CAN_RUN_AGAIN } from './session-status.ts';

export interface StatsQuery {
  workspaceId: string;
  from: Date;
  to: Date;
  interval: StatsInterval;
  /** In which days and hours begin. */
  timezone: string;
  byAssistant: boolean;
}

/** A row of one of the statements below. `start` is null for the whole period. */
type Found = { start: Date | null; assistant_id: string | null } & Record<string, unknown>;

/** Returns the statistics, or undefined if they have more than `maxRows` rows. */
export async function findStats(
  query: StatsQuery,
  maxRows: number,
): Promise<Pick<StatsReport, 'data' | 'totals'> | undefined> {
  const totals = emptyMeasures();
  const rows = new Map<string, StatsRow>();
  await inSnapshot(async (trx) => {
    for (const { sql, take } of STATEMENTS) {
      const values = { ...query, unit: query.interval };
      const found = await readRows<Found[]>(sql(query), values, trx);
      for (const row of found) take(row.start === null ? totals : measuresOf(rows, row), row);
    }
  });
  return rows.size > maxRows ? undefined : { data: [...rows.values()].sort(byTime), totals };
}

/** Returns the failed sessions of the period by error, most frequent first. */
export const findSessionFailures = (
  query: Pick<StatsQuery, 'workspaceId' | 'from' | 'to'>,
): Promise<RowOf<SessionFailures>[]> =>
  readRows(
    `select error ->> 'code' as code, count(*)::int as count,
       count(*) filter (where error ->> 'retryable' = 'true' and ${CAN_RUN_AGAIN})::int as retryable,
       array_remove(array_agg(distinct error ->> 'provider'), null) as providers, min(completed_at) as first_at, max(completed_at) as last_at
     from sessions
     where workspace_id = :workspaceId and status = 'failed' and error is not null and summary_text is null and ${within('created_at')}
       and source_session_id is null and not trial
     group by 1 order by 2 desc, 1`,
    query,
  );

const byTime = (a: StatsRow, b: StatsRow) =>
  a.start.localeCompare(b.start) || (a.assistant_id ?? '').localeCompare(b.assistant_id ?? '');

function measuresOf(rows: Map<string, StatsRow>, { start, assistant_id }: Found): StatsTotals {
  const key = `${start?.getTime()} ${assistant_id}`;
  const row = rows.get(key) ?? {
    start: start?.toISOString() ?? '',
    ...(assistant_id !== null && { assistant_id }),
    ...emptyMeasures(),
  };
  rows.set(key, row);
  return row;
}

const zeros = <N extends string>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<N, number>;

const emptyMeasures = (): StatsTotals => ({
  sessions: zeros(SESSION_STATUSES),
  deliveries: zeros(DELIVERY_STATUSES),
  undelivered: 0,
  attempt_failures: zeros(DELIVERY_FAILURES),
  latency_ms: { queue: null, transcription: null, analysis: null, total: null },
  cost_usd: 0,
  cost_known: true,
});

/**
 * Returns the SQL of the median and the 95th percentile.
 * @param ms the column, in milliseconds.
 */
const percentiles = (ms: string) => `percentile_cont(array[0.5, 0.95]) within group (order by ${ms})`;

const milliseconds = (from: string, to: string) => `extract(epoch from ${to} - ${from}) * 1000`;

const toPercentiles = (values: unknown): Percentiles | null => {
  const [p50, p95] = (values ?? []) as number[];
  return p50 === undefined || p95 === undefined ? null : { p50: Math.round(p50), p95: Math.round(p95) };
};

interface Statement {
  sql(query: StatsQuery): string;
  take(measures: StatsTotals, row: Found): void;
}

/** Returns the columns with the interval and assistant of a row. */
const groupColumns = (time: string, assistant: string, { byAssistant }: StatsQuery) =>
  `date_trunc(:unit, ${time}, :timezone) as start, ${byAssistant ? assistant : 'null::text'} as assistant_id`;

/** Reanalyses and trials are experiments: they are not counted. */
const IS_ORIGINAL = 'session.source_session_id is null and not session.trial';

const within = (time: string) => `${time} >= :from and ${time} < :to`;

const STATEMENTS: readonly Statement[] = [
  {
    sql: (query) => `
      select start, assistant_id, status, count(*)::int as count, ${percentiles('ms')} as ms
      from (
        select ${groupColumns(OCCURRED('session'), 'assistant_id', query)}, status, ${milliseconds('queued_at', 'completed_at')} as ms
        from sessions session where workspace_id = :workspaceId and ${within(OCCURRED('session'))} and ${IS_ORIGINAL}
      ) as each
      group by grouping sets ((start, assistant_id, status), (status))`,
    take({ sessions, latency_ms }, { status, count, ms }) {
      sessions[status as keyof typeof sessions] = count as number;
      if (status === 'completed') latency_ms.total = toPercentiles(ms);
    },
  },
  {
    sql: (query) => `
      select start, assistant_id, step, ${percentiles('ms')} filter (where status = 'succeeded') as ms,
        coalesce(sum(cost_usd), 0)::float8 as cost,
        coalesce(bool_and(cost_usd is not null) filter (where status <> 'running'), true) as is_known
      from (
        select ${groupColumns('call.started_at', 'call.assistant_id', query)}, call.step, call.status, call.cost_usd,
          ${milliseconds('call.started_at', 'call.ended_at')} as ms
        from provider_calls call join sessions session on session.id = call.session_id
        where call.workspace_id = :workspaceId and ${within('call.started_at')} and ${IS_ORIGINAL}
      ) as each
      group by grouping sets ((start, assistant_id, step), (step))`,
    take(measures, { step, ms, cost, is_known }) {
      measures.latency_ms[step as 'transcription' | 'analysis'] = toPercentiles(ms);
      measures.cost_usd = roundUsd(measures.cost_usd + (cost as number));
      measures.cost_known &&= is_known as boolean;
    },
  },
  {
    sql: (query) => `
      select start, assistant_id, ${percentiles('ms')} as ms
      from (
        select ${groupColumns('began_at', 'assistant_id', query)}, ${milliseconds('queued_at', 'began_at')} as ms
        from (
          select session.assistant_id, session.queued_at, min(call.started_at) as began_at
          from provider_calls call join sessions session on session.id = call.session_id
          where call.workspace_id = :workspaceId and ${within('call.started_at')}
            and session.workspace_id = :workspaceId and session.created_at < :to and call.started_at >= session.queued_at
            and ${IS_ORIGINAL}
          group by session.id, session.assistant_id, session.queued_at
        ) as first
      ) as each
      group by grouping sets ((start, assistant_id), ())`,
    take({ latency_ms }, { ms }) {
      latency_ms.queue = toPercentiles(ms);
    },
  },
  {
    sql: (query) => `
      select start, assistant_id, status, count(*)::int as count, count(*) filter (where is_open)::int as open
      from (
        select ${groupColumns('created_at', 'assistant_id', query)}, status,
          status = 'failed' and not exists (select from deliveries later where ${SENT_LATER}) as is_open
        from deliveries where workspace_id = :workspaceId and ${within('created_at')}
      ) as each
      group by grouping sets ((start, assistant_id, status), (status))`,
    take(measures, { status, count, open }) {
      measures.deliveries[status as keyof typeof measures.deliveries] = count as number;
      if (status === 'failed') measures.undelivered = open as number;
    },
  },
  {
    sql: (query) => `
      select start, assistant_id, failure, count(*)::int as count
      from (
        select ${groupColumns('delivery.created_at', 'delivery.assistant_id', query)}, attempt.failure
        from deliveries delivery join delivery_attempts attempt on attempt.delivery_id = delivery.id
        where delivery.workspace_id = :workspaceId and ${within('delivery.created_at')} and attempt.failure is not null
      ) as each
      group by grouping sets ((start, assistant_id, failure), (failure))`,
    take({ attempt_failures }, { failure, count }) {
      attempt_failures[failure as keyof typeof attempt_failures] = count as number;
    },
  },
];
