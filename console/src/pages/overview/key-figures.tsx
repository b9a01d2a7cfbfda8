/** Sessions and cost: each with its change since the previous period and a bar per day or hour. */
import { Link, useNavigate, type LinkProps } from '@tanstack/react-router';
import type { StatsReport, StatsTotals } from 'conversation-analysis-client';
import { DayChart, type Series } from '../../components/day-chart.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { HOUR_MS } from '../../format/clock.ts';
import { formatChange, formatNumber, formatUsd } from '../../format/numbers.ts';
import { dayOf, formatDay, formatHour, zoneName } from '../../format/times.ts';
import { momentsOf, type OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';

import { emptyTotals, type Interval } from './intervals.ts';
import styles from './overview.module.css';

const words = texts.overview;

const CHART_HEIGHT = 150;

const countSessions = ({ sessions }: StatsTotals) => Object.values(sessions).reduce((sum, count) => sum + count, 0);

interface Measure {
  name: keyof typeof words.measures;
  valueOf: (totals: StatsTotals) => number | null;
  format: (value: number) => string;
  /** Returns the link to the rows that the number counts. */
  linkTo: (range: OverviewRange) => Pick<LinkProps, 'to' | 'search'>;
  /** Filters and order of the sessions that a bar opens. */
  search?: object;
  series: MeasuredSeries[];
  isCount?: boolean;
}

type MeasuredSeries = Series & { amountOf: (totals: StatsTotals) => number };

const seriesOf = (key: string, name: string, color: string, amountOf: MeasuredSeries['amountOf']): MeasuredSeries => ({
  key,
  name,
  color: `var(--${color})`,
  amountOf,
});

const MEASURES: readonly Measure[] = [
  {
    name: 'sessions',
    valueOf: countSessions,
    format: formatNumber,
    linkTo: (range) => ({ to: '/sessions', search: { range } }),
    isCount: true,
    series: [
      seriesOf('completed', texts.status.completed, 'good-bar', ({ sessions }) => sessions.completed),
      seriesOf('failed', texts.status.failed, 'bad-bar', ({ sessions }) => sessions.failed),
      seriesOf('others', texts.usage.others, 'calm-bar', (totals) => {
        return countSessions(totals) - totals.sessions.completed - totals.sessions.failed;
      }),
    ],
  },
  {
    name: 'cost',
    valueOf: ({ cost_usd }) => cost_usd,
    format: formatUsd,
    linkTo: () => ({ to: '/usage' }),
    search: { sort: '-total_cost' },
    series: [seriesOf('cost', words.measures.cost, 'series-4', ({ cost_usd }) => cost_usd)],
  },
];

interface KeyFiguresProps {
  report: StatsReport;
  /** Undefined until loaded. */
  previous: StatsTotals | undefined;
  intervals: readonly Interval[];
  range: OverviewRange;
}

export function KeyFigures({ report: { totals }, previous, intervals, range }: KeyFiguresProps) {
  const navigate = useNavigate();
  const isHourly = range === '24h';
  const rangeOf = (start: string) =>
    isHourly
      ? { created_after: start, created_before: new Date(Date.parse(start) + HOUR_MS).toISOString() }
      : momentsOf({ from: dayOf(start), to: dayOf(start) });
  const formatLabel = (start: string) => (isHourly ? formatHour(start) : formatDay(dayOf(start)));
  return (
    <>
      <div className={styles['cards']}>
        {MEASURES.map((measure) => {
          const { name, valueOf, format, series, linkTo, search } = measure;
          const value = valueOf(totals);
          const isPartial = name === 'cost' && !totals.cost_known;
          const text = value === null ? '–' : isPartial ? texts.labels.atLeast(format(value)) : format(value);
          return (
            <Panel key={name}>
              <div className={`stack ${styles['card']}`}>
                <h2 className="note">{words.measures[name]}</h2>
                <Link {...linkTo(range)} className={styles['value']}>
                  {text}
                </Link>
                <p className="note">{compare(measure, value, previous)}</p>
                <DayChart
                  label={words.chartOf(words.measures[name])}
                  series={series}
                  days={intervals.map(({ start, totals: each = emptyTotals }) => {
                    const amounts = Object.fromEntries(series.map(({ key, amountOf }) => [key, amountOf(each)]));
                    return { day: start, total: Object.values(amounts).reduce((a, b) => a + b, 0), amounts };
                  })}
                  format={format}
                  formatLabel={formatLabel}
                  height={CHART_HEIGHT}
                  isCount={measure.isCount ?? false}
                  hasLegend={series.length > 1}
                  onOpen={(start) => void navigate({ to: '/sessions', search: { ...search, ...rangeOf(start) } })}
                />
              </div>
            </Panel>
          );
        })}
      </div>
      <Numbers intervals={intervals} formatLabel={formatLabel} />
    </>
  );
}

/** Returns "+12% (previous period: 25)". */
function compare({ valueOf, format }: Measure, value: number | null, previous?: StatsTotals): string {
  if (!previous) return words.comparing;
  const before = valueOf(previous);
  if (before === null) return words.previous('–');
  const text = words.previous(format(before));
  return before === 0 || value === null ? text : `${formatChange(value / before - 1)} · ${text}`;
}

/** The numbers of the charts as a table, newest first. */
function Numbers({
  intervals,
  formatLabel,
}: Pick<KeyFiguresProps, 'intervals'> & { formatLabel: (s: string) => string }) {
  const columns = MEASURES.map(({ name, valueOf, format }): Column<Interval> => ({
    key: name,
    title: words.measures[name],
    align: 'end',
    cell: ({ totals }) => {
      const value = totals ? valueOf(totals) : null;
      return value === null ? '–' : format(value);
    },
  }));
  const failed = {
    key: 'failed',
    title: texts.status.failed,
    align: 'end' as const,
    cell: ({ totals }: Interval) => (totals ? formatNumber(totals.sessions.failed) : '–'),
  };
  const start = { key: 'start', title: words.start, isWide: true, cell: (each: Interval) => formatLabel(each.start) };
  return (
    <details className={styles['numbers']}>
      <summary>{words.asTable}</summary>
      <DataTable
        caption={words.numbers}
        columns={[start, ...columns.toSpliced(1, 0, failed)]}
        rows={intervals.toReversed()}
        rowKey={(each) => each.start}
      />
      <p className="note">{words.days(zoneName())}</p>
    </details>
  );
}
