import { Link } from '@tanstack/react-router';
import type { FieldCounts } from 'conversation-analysis-client';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Nothing } from '../../components/values.tsx';
import { formatShortValue } from '../../fields/conditions.ts';
import { formatAnswer, formatNumber, formatPercent } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.results;

type Row = FieldCounts['by_version'][number];

/** Number of values that have a column. */
const SHOWN_VALUES = 4;

/** The counts of a field by version, if there are several versions. */
export function VersionTable({ counts }: { counts: FieldCounts }) {
  if (counts.by_version.length < 2) return null;
  return (
    <DataTable
      caption={words.byVersion(counts.title ?? counts.name)}
      columns={columnsOf(counts)}
      rows={counts.by_version}
      rowKey={({ version }) => String(version)}
    />
  );
}

function columnsOf({ values, numbers }: FieldCounts): Column<Row>[] {
  const share = (part: number, { count, null_count }: Row) =>
    count === null_count ? <Nothing /> : formatPercent(part / (count - null_count));
  const shown = values.slice(0, SHOWN_VALUES).map((value, index): Column<Row> => ({
    key: `value ${index}`,
    title: formatShortValue(value),
    align: 'end',
    cell: (row) => share(row.value_counts[index] ?? 0, row),
  }));
  const mean: Column<Row> = {
    key: 'mean',
    title: words.mean,
    align: 'end',
    cell: (row) => (row.mean === null ? <Nothing /> : formatAnswer(row.mean)),
  };
  return [
    {
      key: 'version',
      title: texts.versions.version,
      cell: ({ version }) => (
        <Link to="." search={(search) => ({ ...search, version })}>
          {texts.versions.of(version)}
        </Link>
      ),
    },
    { key: 'count', title: texts.common.sessions, align: 'end', cell: ({ count }) => formatNumber(count) },
    {
      key: 'null',
      title: texts.session.fields.notMentioned,
      align: 'end',
      cell: ({ count, null_count }) => formatPercent(count === 0 ? 0 : null_count / count),
    },
    ...(numbers ? [mean] : shown),
  ];
}
