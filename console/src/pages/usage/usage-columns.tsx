/** The rows of the usage report, as table columns and as a CSV file. The total has no day. */
import type { UsageRow } from 'conversation-analysis-client';
import { BYTE_ORDER_MARK, toCsvLine } from '../../../../contract/values/csv-line.ts';
import type { Column } from '../../components/data-table.tsx';
import { Duration, Money, Nothing } from '../../components/values.tsx';
import { csvDelimiter, formatNumber } from '../../format/numbers.ts';
import { formatDay } from '../../format/times.ts';
import { texts } from '../../texts/index.ts';
import { groupOf, type UsageGroup } from './usage-series.ts';
import { isMetadata, keyOf } from '../../search/groups.ts';

type NameOf = (key: string) => string;
type Counted = 'sessions' | 'calls' | 'input_tokens' | 'output_tokens';

const countColumn = (key: Counted, title: string): Column<UsageRow> => ({
  key,
  title,
  align: 'end',
  isSecondary: true,
  cell: (row) => (row[key] === 0 ? <Nothing /> : formatNumber(row[key])),
});

export const toUsageColumns = (group: UsageGroup, nameOf: NameOf): Column<UsageRow>[] => [
  {
    key: 'day',
    title: texts.usage.day,
    cell: ({ day }) =>
      day === undefined ? (
        <strong>{texts.steps.total}</strong>
      ) : (
        <time className="nowrap" dateTime={day}>
          {formatDay(day)}
        </time>
      ),
  },
  {
    key: 'group',
    title: isMetadata(group) ? keyOf(group) : texts.usage.groups[group],
    isWide: true,
    cell: (row) => {
      const name = row.day === undefined ? '' : nameOf(groupOf(row, group));
      return (
        <span className="cut" dir="auto" title={name}>
          {name}
        </span>
      );
    },
  },
  countColumn('sessions', texts.common.sessions),
  countColumn('calls', texts.usage.calls),
  {
    key: 'audio',
    title: texts.sessions.audio,
    align: 'end',
    isSecondary: true,
    cell: ({ audio_seconds }) => <Duration ms={audio_seconds * 1_000 || null} />,
  },
  countColumn('input_tokens', texts.usage.inputTokens),
  countColumn('output_tokens', texts.usage.outputTokens),
  {
    key: 'cost',
    title: texts.sessions.cost,
    align: 'end',
    cell: ({ cost_usd, cost_known }) => <Money usd={cost_usd} isKnown={cost_known} />,
  },
];

const MEASURES = [
  'sessions',
  'calls',
  'audio_seconds',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'cost_known',
] as const;

/** Returns the rows as CSV: unrounded, with the names of the API as column titles. */
export function toUsageCsv(rows: readonly UsageRow[], group: UsageGroup, nameOf: NameOf): string {
  // A value can have the name of the others.
  const measures = isMetadata(group) ? (['others', ...MEASURES] as const) : MEASURES;
  const lines = rows.map((row) => [
    row.day ?? '',
    nameOf(groupOf(row, group)),
    ...measures.map((name) => row[name] ?? ''),
  ]);
  return (
    BYTE_ORDER_MARK + [['day', group, ...measures], ...lines].map((row) => toCsvLine(row, csvDelimiter())).join('')
  );
}
