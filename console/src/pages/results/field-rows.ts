/** The bars of a field: its values, or the parts of its histogram, each with the conditions that find them. */
import type { FieldCounts } from '../../../../clients/typescript/src/index.ts';
import { conditionOn, sayValue } from '../../fields/conditions.ts';
import { formatAnswer } from '../../format/numbers.ts';

export interface ValueRow {
  label: string;
  count: number;
  conditions: string[];
}

export function toRows({ name, type, values, value_counts, numbers }: FieldCounts): ValueRow[] {
  if (!numbers) {
    return values.map((value, index) => ({
      label: sayValue(value),
      count: value_counts[index] ?? 0,
      conditions: [conditionOn(name, 'eq', value)],
    }));
  }
  return numbers.histogram.map(({ from, to, count }) =>
    type === 'integer' && to - from === 1
      ? { label: formatAnswer(from), count, conditions: [conditionOn(name, 'eq', from)] }
      : {
          label: `${formatAnswer(from)} – ${formatAnswer(to)}`,
          count,
          conditions: [conditionOn(name, 'gte', from), conditionOn(name, 'lt', to)],
        },
  );
}
