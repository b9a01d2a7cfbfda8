/** Counts and costs of a workspace's sessions, calls and deliveries in a period. */
import { DELIVERY_STATUSES, SESSION_STATUSES } from '../../contract/values/constants.ts';
import type { StatsReport, StatsRow, StatsTotals } from '../../contract/service/stats.ts';
import { roundUsd } from '../../runtime/prices/call-usage.ts';
import { inSnapshot, readRows } from '../statements.ts';
import { SENT_LATER } from './batch-sources.ts';
import { OCCURRED } from './filter-sessions.ts';
import { CAN_RUN_AGAIN } from './session-status.ts';

export interface StatsQuery {
  workspaceId: string;
  from: Date;
  to: Date;
  /** In which days begin. */
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
      const found = await readRows<Found[]>(sql(query), { ...query }, trx);
      for (const row of found) take(row.start === null ? totals : measuresOf(rows, row), row);
    }
  });
  return rows.size > maxRows ? undefined : { data: [...rows.values()].sort(byTime), totals };
}

/** Failed sessions with one error. */
interface SessionFailures {
  code: string;
  count: number;
  /** Number of these sessions that can be retried. */
  retryable: number;
  /** The providers whose calls failed. */
  providers: string[];
  last_at: Date;
}

/** Returns the failed sessions of the period by error, most frequent first. */
export const findSessionFailures = (
  query: Pick<StatsQuery, 'workspaceId' | 'from' | 'to'>,
): Promise<SessionFailures[]> =>
  readRows(
    `select error ->> 'code' as code, count(*)::int as count,
       count(*) filter (where error ->> 'retryable' = 'true' and ${CAN_RUN_AGAIN})::int as retryable,
       array_remove(array_agg(distinct error ->> 'provider'), null) as providers, max(completed_at) as last_at
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
  cost_usd: 0,
  cost_known: true,
});

interface Statement {
  sql(query: StatsQuery): string;
  take(measures: StatsTotals, row: Found): void;
}

/** Returns the columns with the day and assistant of a row. */
const groupColumns = (time: string, assistant: string, { byAssistant }: StatsQuery) =>
  `date_trunc('day', ${time}, :timezone) as start, ${byAssistant ? assistant : 'null::text'} as assistant_id`;

/** Reanalyses and trials are experiments: they are not counted. */
const IS_ORIGINAL = 'session.source_session_id is null and not session.trial';

const within = (time: string) => `${time} >= :from and ${time} < :to`;

const STATEMENTS: readonly Statement[] = [
  {
    sql: (query) => `
      select start, assistant_id, status, count(*)::int as count
      from (
        select ${groupColumns(OCCURRED('session'), 'assistant_id', query)}, status
        from sessions session where workspace_id = :workspaceId and ${within(OCCURRED('session'))} and ${IS_ORIGINAL}
      ) as each
      group by grouping sets ((start, assistant_id, status), (status))`,
    take({ sessions }, { status, count }) {
      sessions[status as keyof typeof sessions] = count as number;
    },
  },
  {
    sql: (query) => `
      select start, assistant_id, coalesce(sum(cost_usd), 0)::float8 as cost,
        coalesce(bool_and(cost_usd is not null) filter (where status <> 'running'), true) as is_known
      from (
        select ${groupColumns('call.started_at', 'call.assistant_id', query)}, call.status, call.cost_usd
        from provider_calls call join sessions session on session.id = call.session_id
        where call.workspace_id = :workspaceId and ${within('call.started_at')} and ${IS_ORIGINAL}
      ) as each
      group by grouping sets ((start, assistant_id), ())`,
    take(measures, { cost, is_known }) {
      measures.cost_usd = roundUsd(cost as number);
      measures.cost_known = is_known as boolean;
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
];
