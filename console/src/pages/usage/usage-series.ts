/** The stacks of the chart, made of the rows that the table shows. */
import type { UsageRow } from '../../../../clients/typescript/src/index.ts';
import type { DayAmounts, Series } from '../../components/day-chart.tsx';
import type { UsageGroup } from './usage-search.ts';

/** More colours than these cannot be told apart; the rest is one series. */
const MOST_SERIES = 6;

/** Returns what names the row's group. The empty key stands for a provider without a choice of models. */
export const groupOf = (row: UsageRow, group: UsageGroup): string =>
  (group === 'provider' ? row.provider : group === 'model' ? row.model : row.assistant_id) ?? '';

interface StackOptions {
  group: UsageGroup;
  days: readonly string[];
  nameOf: (key: string) => string;
  othersName: string;
}

/** Returns the series, the most expensive first, and what each cost on each day. */
export function stack(rows: readonly UsageRow[], { group, days, nameOf, othersName }: StackOptions) {
  const totals = new Map<string, number>();
  for (const row of rows) totals.set(groupOf(row, group), (totals.get(groupOf(row, group)) ?? 0) + row.cost_usd);
  const keys = [...totals].sort(([, a], [, b]) => b - a).map(([key]) => key);
  const shown = keys.length > MOST_SERIES ? keys.slice(0, MOST_SERIES - 1) : keys;
  const series: Series[] = shown.map((key) => ({ key, name: nameOf(key) }));
  if (shown.length < keys.length) series.push({ key: 'others', name: othersName });

  const byDay = new Map<string, DayAmounts>(
    days.map((day) => [day, { day, total: 0, amounts: Object.fromEntries(series.map(({ key }) => [key, 0])) }]),
  );
  for (const row of rows) {
    const costs = byDay.get(row.day ?? '');
    if (!costs) continue;
    const key = shown.includes(groupOf(row, group)) ? groupOf(row, group) : 'others';
    costs.amounts[key] = (costs.amounts[key] ?? 0) + row.cost_usd;
    costs.total += row.cost_usd;
  }
  return { series, costs: [...byDay.values()] };
}
