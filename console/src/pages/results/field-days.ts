/** The days of a field's chart: how often each value was answered, or the mean of numbers. */
import type { FieldCounts } from '../../../../clients/typescript/src/index.ts';
import type { DayAmounts, Series } from '../../components/day-chart.tsx';
import { sayShort } from '../../fields/conditions.ts';
import { daysOf } from '../../search/period.ts';
import type { Period } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';

/** More colours than these cannot be told apart. */
const MOST_SERIES = 6;

export function toDays(counts: FieldCounts, period: Period): { series: Series[]; days: DayAmounts[] } {
  const { values, numbers, by_day } = counts;
  const series = numbers
    ? [{ key: 'mean', name: texts.results.mean }]
    : values.slice(0, MOST_SERIES).map((value, index) => ({ key: String(index), name: sayShort(value) }));
  const found = new Map(by_day.map((row) => [row.day, row]));
  const days = daysOf(period).map((day) => {
    const { mean, value_counts } = found.get(day) ?? { mean: null, value_counts: [] };
    const amounts = Object.fromEntries(
      series.map(({ key }, index) => [key, (numbers ? mean : value_counts[index]) ?? 0]),
    );
    return { day, amounts, total: Object.values(amounts).reduce((sum, amount) => sum + amount, 0) };
  });
  return { series, days };
}
