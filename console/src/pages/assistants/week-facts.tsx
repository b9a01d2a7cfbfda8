import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { getStatsOptions, getUsageOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { StatsReport, UsageRow } from '../../../../clients/typescript/src/index.ts';
import { Money, Nothing } from '../../components/values.tsx';
import { serverNow } from '../../format/clock.ts';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.assistants;

const DAY_MS = 86_400_000;
const DAYS = 7;

/** What an assistant did within the last days. */
export interface Week {
  sessions: number;
  delivered: number;
  undelivered: number;
  cost: Pick<UsageRow, 'cost_usd' | 'cost_known'> | undefined;
}

/** Returns what a given assistant did, from one call for all of them; undefined until it is read. */
export function useWeeks(): ((assistantId: string) => Week) | undefined {
  const [now] = useState(serverNow);
  const start = new Date(Math.floor((now - DAYS * DAY_MS) / DAY_MS) * DAY_MS + DAY_MS).toISOString();
  const stats = useQuery(getStatsOptions({ query: { from: start, interval: 'day', group_by: 'assistant' } }));
  const usage = useQuery(getUsageOptions({ query: { from: start.slice(0, 10), group_by: 'assistant' } }));
  if (!stats.data || !usage.data) return undefined;
  const rows = Map.groupBy(stats.data.data, ({ assistant_id = '' }) => assistant_id);
  const costs = new Map(usage.data.data.map((row) => [row.assistant_id, row]));
  return (id) => ({ ...countRows(rows.get(id) ?? []), cost: costs.get(id) });
}

function countRows(rows: StatsReport['data']): Omit<Week, 'cost'> {
  const sum = (count: (row: StatsReport['data'][number]) => number) =>
    rows.reduce((total, row) => total + count(row), 0);
  return {
    sessions: sum(({ sessions }) => Object.values(sessions).reduce((total, count) => total + count, 0)),
    delivered: sum(({ deliveries }) => deliveries.delivered),
    undelivered: sum(({ deliveries }) => deliveries.failed),
  };
}

/** How many sessions it had, what they cost, and whether its webhooks arrive; each number leads to its rows. */
export const WeekFacts = ({ id, week }: { id: string; week: Week }) => (
  <>
    <dt>{words.week}</dt>
    <dd>
      <Link to="/sessions" search={{ assistant_id: id, range: '7d' }}>
        {words.sessions(week.sessions, formatNumber(week.sessions))}
      </Link>
      {week.cost && (
        <>
          , <Money usd={week.cost.cost_usd} isKnown={week.cost.cost_known} />
        </>
      )}
    </dd>
    <dt>{words.deliveries}</dt>
    <dd>
      <Health id={id} week={week} />
    </dd>
  </>
);

function Health({ id, week: { delivered, undelivered } }: { id: string; week: Week }) {
  if (delivered + undelivered === 0) return <Nothing />;
  if (undelivered === 0) {
    return (
      <>
        <CircleCheck size={13} aria-hidden /> {words.allDelivered(formatNumber(delivered))}
      </>
    );
  }
  return (
    <>
      <TriangleAlert size={13} aria-hidden />{' '}
      <Link to="/deliveries" search={{ assistant_id: id, status: 'failed', range: '7d' }}>
        {words.failed(formatNumber(undelivered), formatNumber(delivered + undelivered))}
      </Link>
    </>
  );
}
