import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FieldCounts } from 'conversation-analysis-client';
import { DayChart } from '../../components/day-chart.tsx';
import { formatShortValue } from '../../fields/conditions.ts';
import { formatAnswer, formatMean } from '../../format/numbers.ts';
import type { Period } from '../../search/named-period.ts';
import { daysOf, momentsOf } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

/** The number of distinguishable colors. */
const MAX_SERIES = 6;

/** Fewer days show no course. */
const ENOUGH_DAYS = 3;

/** The mean of a numeric field by day, or how often each value occurs by day, on request. */
export function FieldDays({ counts, period }: { counts: FieldCounts; period: Period }) {
  const navigate = useNavigate();
  const { assistantId } = route.useParams();
  const [isOpen, setOpen] = useState(false);
  const { name, title = name, values, numbers, by_day } = counts;
  if (by_day.length < ENOUGH_DAYS) return null;
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
    <details className={styles['days']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.byDay}</summary>
      {isOpen && (
        <DayChart
          label={`${title}: ${words.byDay}`}
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
      )}
    </details>
  );
}
