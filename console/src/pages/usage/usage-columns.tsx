/** The rows of the report as a table and as a file. */
import type { UsageRow } from '../../../../clients/typescript/src/index.ts';
import type { Column } from '../../components/data-table.tsx';
import { Duration, Money } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { formatDay } from '../../format/times.ts';
import { texts } from '../../texts/index.ts';
import { toCsv } from './usage-csv.ts';
import type { UsageGroup } from './usage-search.ts';
import { groupOf } from './usage-series.ts';
import styles from './usage.module.css';

type NameOf = (key: string) => string;
type Counted = 'sessions' | 'calls' | 'input_tokens' | 'output_tokens';

const countColumn = (key: Counted, title: string): Column<UsageRow> => ({
  key,
  title,
  align: 'end',
  isSecondary: true,
  cell: (row) => formatNumber(row[key]),
});

export const toUsageColumns = (group: UsageGroup, nameOf: NameOf): Column<UsageRow>[] => [
  { key: 'day', title: texts.usage.day, cell: ({ day = '' }) => <Day date={day} /> },
  {
    key: 'group',
    title: texts.usage.groups[group],
    isWide: true,
    cell: (row) => <span className={styles['name']}>{nameOf(groupOf(row, group))}</span>,
  },
  countColumn('sessions', texts.lists.sessions),
  countColumn('calls', texts.usage.calls),
  {
    key: 'audio',
    title: texts.usage.audio,
    align: 'end',
    isSecondary: true,
    cell: ({ audio_seconds }) => <Duration ms={audio_seconds === 0 ? null : audio_seconds * 1_000} />,
  },
  countColumn('input_tokens', texts.usage.inputTokens),
  countColumn('output_tokens', texts.usage.outputTokens),
  {
    key: 'cost',
    title: texts.usage.cost,
    align: 'end',
    cell: ({ cost_usd, cost_known }) => <Money usd={cost_usd} isKnown={cost_known} />,
  },
];

const Day = ({ date }: { date: string }) => (
  <time className={styles['date']} dateTime={date}>
    {formatDay(date)}
  </time>
);

/** Returns the rows under the API's own names, unrounded. */
export function toUsageCsv(rows: readonly UsageRow[], group: UsageGroup, nameOf: NameOf): string {
  const measures = [
    ...(['sessions', 'calls', 'audio_seconds', 'input_tokens', 'output_tokens', 'cost_usd', 'cost_known'] as const),
  ];
  return toCsv([
    ['day', group, ...measures],
    ...rows.map((row) => [row.day ?? '', nameOf(groupOf(row, group)), ...measures.map((name) => row[name])]),
  ]);
}
