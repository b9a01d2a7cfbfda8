import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { getStatsOptions, getUsageOptions } from 'conversation-analysis-client/react-query';
import type { UsageRow } from 'conversation-analysis-client';
import { Money, Nothing } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { startOf } from '../../format/times.ts';
import { usePeriod } from '../../search/period.ts';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';
import styles from './assistants.module.css';

const words = texts.assistants;

/** The activity of an assistant in the last 7 days. */
export interface Week {
  sessions: number;
  failed: number;
  delivered: number;
  undelivered: number;
  pending: number;
  cost: Pick<UsageRow, 'cost_usd' | 'cost_known'> | undefined;
}

/** Returns a function from assistant ID to activity; undefined without it. One request covers all assistants. */
export function useWeeks(): { isPending: boolean; error?: unknown; weekOf?: (assistantId: string) => Week } {
  const period = usePeriod('7d');
  const { timezone } = period;
  const from = startOf(period.from);
  const stats = useQuery(getStatsOptions({ query: { from, interval: 'day', timezone, group_by: 'assistant' } }));
  const usage = useQuery(getUsageOptions({ query: { ...period, group_by: 'assistant' } }));
  if (!stats.data || !usage.data)
    return { isPending: stats.isPending || usage.isPending, error: stats.error ?? usage.error };
  const rows = Map.groupBy(stats.data.data, ({ assistant_id = '' }) => assistant_id);
  const costs = new Map(usage.data.data.map((row) => [row.assistant_id, row]));
  const weekOf = (id: string) => {
    const days = rows.get(id) ?? [];
    return {
      sessions: sum(days.flatMap(({ sessions }) => Object.values(sessions))),
      failed: sum(days.map(({ sessions }) => sessions.failed)),
      delivered: sum(days.map(({ deliveries }) => deliveries.delivered)),
      undelivered: sum(days.map((day) => day.undelivered)),
      pending: sum(days.map(({ deliveries }) => deliveries.pending)),
      cost: costs.get(id),
    };
  };
  return { isPending: false, weekOf };
}

/** Number of what went wrong and is not settled. */
export const troubleOf = (week: Week | undefined) => (week ? week.failed + week.undelivered : 0);

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** Sessions, cost and webhook health. Each number links to its rows. */
export const WeekFacts = ({ id, week, error }: { id: string; week: Week | undefined; error: unknown }) => (
  <>
    <dt>{texts.lists.ranges['7d']}</dt>
    <dd>
      <Unknown error={error} />
      {week && (
        <Link to="/sessions" search={{ assistant_id: id, range: '7d' }}>
          {words.sessions(week.sessions, formatNumber(week.sessions))}
        </Link>
      )}
      {week && week.failed > 0 && (
        <>
          ,{' '}
          <Link className={styles['bad']} to="/sessions" search={{ assistant_id: id, range: '7d', status: 'failed' }}>
            {words.failed(formatNumber(week.failed), formatNumber(week.sessions))}
          </Link>
        </>
      )}
      {week?.cost && (
        <>
          , <Money usd={week.cost.cost_usd} isKnown={week.cost.cost_known} />
        </>
      )}
    </dd>
    <dt>{texts.common.deliveries}</dt>
    <dd>
      <Unknown error={error} />
      {week && <Health id={id} week={week} />}
    </dd>
  </>
);

/** Says why a fact is missing, if its request failed. */
export const Unknown = ({ error }: { error: unknown }) =>
  error != null && <span className="note">{toFailure(error).title}</span>;

function Health({ id, week: { delivered, undelivered, pending } }: { id: string; week: Week }) {
  const all = delivered + undelivered + pending;
  if (all === 0) return <Nothing />;
  if (delivered === all) {
    return (
      <>
        <CircleCheck size={13} color="var(--good)" aria-hidden /> {words.allDelivered(formatNumber(delivered))}
      </>
    );
  }
  const link = (status: 'failed' | 'pending', text: string) => (
    <Link to="/deliveries" search={{ assistant_id: id, status, range: '7d' }}>
      {text}
    </Link>
  );
  return (
    <>
      <TriangleAlert size={13} color={`var(--${undelivered > 0 ? 'bad' : 'warn'})`} aria-hidden />{' '}
      {undelivered > 0 && link('failed', words.failed(formatNumber(undelivered), formatNumber(all)))}
      {undelivered > 0 && pending > 0 && ', '}
      {pending > 0 && link('pending', words.pending(formatNumber(pending), formatNumber(all)))}
    </>
  );
}
