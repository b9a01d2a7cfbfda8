import { useNavigate } from '@tanstack/react-router';
import type { StatsReport, StatsTotals } from 'conversation-analysis-client';
import { DayChart } from '../../components/day-chart.tsx';
import { Panel } from '../../components/page.tsx';
import { formatNumber, formatUsd } from '../../format/numbers.ts';
import { dayOf } from '../../format/times.ts';
import { countSessions, daysOf, momentsOf } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import styles from './overview.module.css';

const CHART_HEIGHT = 150;

/** Fewer days than this say nothing as a chart. */
const MIN_DAYS = 3;

type Counted = Pick<StatsTotals, 'sessions' | 'cost_usd'>;

const MEASURES = [
  { name: texts.common.sessions, valueOf: countSessions, format: formatNumber, search: {} },
  {
    name: texts.sessions.cost,
    valueOf: ({ cost_usd }: Counted) => cost_usd,
    format: formatUsd,
    search: { sort: '-total_cost' as const },
  },
];

/** Sessions and cost of each day. A bar opens the sessions of its day. */
export function Charts({ report: { from, to, data, totals } }: { report: StatsReport }) {
  const navigate = useNavigate();
  const rows = Map.groupBy(data, ({ start }) => dayOf(start));
  if (rows.size < MIN_DAYS) return null;
  const days = daysOf({ from: dayOf(from), to: dayOf(Date.parse(to) - 1) });
  return (
    <div className={styles['cards']}>
      {MEASURES.map(({ name, valueOf, format, search }) => (
        <Panel key={name} title={name} actions={<span className="note">{format(valueOf(totals))}</span>}>
          <DayChart
            label={name}
            series={[{ key: 'all', name }]}
            days={days.map((day) => {
              const all = rows.get(day)?.reduce((sum, row) => sum + valueOf(row), 0) ?? 0;
              return { day, total: all, amounts: { all } };
            })}
            format={format}
            height={CHART_HEIGHT}
            isCount={valueOf === countSessions}
            onOpen={(day) =>
              void navigate({ to: '/sessions', search: { ...search, ...momentsOf({ from: day, to: day }) } })
            }
          />
        </Panel>
      ))}
    </div>
  );
}
