/** Computes the chart's series from the rows of the report. */
import type { UsageRow } from 'conversation-analysis-client';
import type { Series } from '../../components/day-chart.tsx';
import { isMetadata, type MetadataGroup } from '../../search/groups.ts';

export const USAGE_GROUPS = ['provider', 'model', 'assistant'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number] | MetadataGroup;

export const isUsageGroup = (group: string): group is UsageGroup =>
  USAGE_GROUPS.some((each) => each === group) || isMetadata(group);

/** The chart has six distinguishable colors. If there are more groups, the least expensive ones share the last color. */
const MAX_SERIES = 6;
/** No value of metadata is equal to it. */
export const OTHERS = '\0others';

/** Returns the key of the row's group. Empty for a provider with a fixed model, and for sessions without a value. */
export function groupOf(row: UsageRow, group: UsageGroup): string {
  if (isMetadata(group)) return row.others ? OTHERS : (row.group ?? '');
  return row[group === 'assistant' ? 'assistant_id' : group] ?? '';
}

interface StackOptions {
  group: UsageGroup;
  days: readonly string[];
  nameOf: (key: string) => string;
  othersName: string;
}

const sumCost = (rows: readonly UsageRow[]) => rows.reduce((sum, { cost_usd }) => sum + cost_usd, 0);

/** Returns the series, the most expensive first, and their costs by day. */
export function stack(rows: readonly UsageRow[], { group, days, nameOf, othersName }: StackOptions) {
  const groups = [...Map.groupBy(rows, (row) => groupOf(row, group))];
  const keys = groups
    .filter(([key]) => key !== OTHERS)
    .sort(([, a], [, b]) => sumCost(b) - sumCost(a))
    .map(([key]) => key);
  const shown = groups.length > MAX_SERIES ? keys.slice(0, MAX_SERIES - 1) : keys;
  // Colors are assigned by key, so a group keeps its color when its rank changes.
  const sorted = shown.toSorted();
  const colorOf = (key: string) => `var(--series-${sorted.indexOf(key) + 1})`;
  const series: Series[] = shown.map((key) => ({ key, name: nameOf(key), color: colorOf(key) }));
  if (shown.length < groups.length) series.push({ key: OTHERS, name: othersName });

  const keyOf = (row: UsageRow) => (shown.includes(groupOf(row, group)) ? groupOf(row, group) : OTHERS);
  const costs = days.map((day) => {
    const ofDay = rows.filter((row) => row.day === day);
    const amounts = [...Map.groupBy(ofDay, keyOf)].map(([key, each]) => [key, sumCost(each)] as const);
    return { day, total: sumCost(ofDay), amounts: Object.fromEntries(amounts) };
  });
  return { series, costs };
}
