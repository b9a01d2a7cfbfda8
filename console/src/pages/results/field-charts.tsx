/** The charts of one field: its values or a histogram, and the values by day. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { FieldCounts } from 'conversation-analysis-client';
import type { FieldValue } from '../../../../contract/fields/result-fields.ts';
import { DayChart } from '../../components/day-chart.tsx';
import { conditionOn, replaceConditions, formatShortValue, formatValue } from '../../fields/conditions.ts';
import { formatAnswer, formatMean, formatNumber, formatPercent } from '../../format/numbers.ts';
import { daysOf, momentsOf, type Period } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

/** The number of distinguishable colors. */
const MAX_SERIES = 6;

/** The mean of a numeric field by day, or how often each value occurs by day. */
export function FieldDays({ counts, period }: { counts: FieldCounts; period: Period }) {
  const navigate = useNavigate();
  const { assistantId } = route.useParams();
  const { name, title = name, values, numbers, by_day } = counts;
  const series = numbers
    ? [{ key: 'mean', name: words.mean }]
    : values.slice(0, MAX_SERIES).map((value, index) => ({ key: String(index), name: formatShortValue(value) }));
  const rows = new Map(by_day.map((row) => [row.day, row]));
  const days = daysOf(period).map((day) => {
    const { mean, value_counts } = rows.get(day) ?? { mean: null, value_counts: [] };
    const amounts = series.map(({ key }, index) => [key, (numbers ? mean : value_counts[index]) ?? 0] as const);
    return { day, amounts: Object.fromEntries(amounts), total: amounts.reduce((sum, [, amount]) => sum + amount, 0) };
  });
  return (
    <DayChart
      label={numbers ? words.meanByDay(title) : words.valuesByDay(title)}
      series={series}
      days={days}
      format={numbers ? formatMean : formatAnswer}
      height={180}
      isCount={!numbers}
      onOpen={(day) =>
        void navigate({
          to: '/sessions',
          search: { assistant_id: assistantId, status: 'completed', ...momentsOf({ from: day, to: day }) },
        })
      }
    />
  );
}

/** Bars of a field's values. Each bar links to its sessions. */
export function ValueBars({ counts }: { counts: FieldCounts }) {
  const { name, title = name, other_count } = counts;
  const bars = toBars(counts);
  const shareOf = (count: number) => count / Math.max(1, counts.count);
  return (
    <div>
      <ul className={styles['bars']} aria-label={words.valuesOf(title)}>
        {bars.map(({ label, count, conditions }) => (
          <li key={conditions.join()}>
            <Link
              to="."
              search={(search) => ({ ...search, field: replaceConditions(search.field, name, conditions) })}
              className={styles['bar']}
            >
              <span className="cut" title={label}>
                {label}
              </span>
              <span className={styles['track']} aria-hidden>
                <span className={styles['fill']} data-shape style={{ width: `${shareOf(count) * 100}%` }} />
              </span>
              <span className={styles['count']}>
                {formatNumber(count)} <span className="note">({formatPercent(shareOf(count))})</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {other_count > 0 && <p className={`note ${styles['others']}`}>{words.others(other_count)}</p>}
    </div>
  );
}

interface Bar {
  label: string;
  count: number;
  /** The conditions that select the sessions of the bar. */
  conditions: string[];
}

function toBars({ name, type, values, value_counts, numbers }: FieldCounts): Bar[] {
  const toBar = (value: FieldValue, label: string, count: number): Bar => ({
    label,
    count,
    conditions: [conditionOn(name, 'eq', value)],
  });
  if (!numbers) return values.map((value, index) => toBar(value, formatValue(value), value_counts[index] ?? 0));
  return numbers.histogram.map(({ from, to, count }) =>
    type === 'integer' && to - from === 1
      ? toBar(from, formatAnswer(from), count)
      : {
          label: `${formatAnswer(from)} – ${formatAnswer(to)}`,
          count,
          conditions: [conditionOn(name, 'gte', from), conditionOn(name, 'lt', to)],
        },
  );
}
