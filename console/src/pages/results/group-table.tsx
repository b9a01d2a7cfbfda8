/** The values of a field and their accuracy by version or by a key of the metadata, such as the agent. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { FieldAccuracy, FieldCounts, Share } from 'conversation-analysis-client';
import { wilson } from '../../../../contract/values/wilson.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Nothing } from '../../components/values.tsx';
import { formatShortValue } from '../../fields/conditions.ts';
import { formatMean, formatNumber } from '../../format/numbers.ts';
import { formatRange, formatShare } from '../../format/shares.ts';
import { isMetadata, keyOf } from '../../search/groups.ts';
import type { Period } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { sessionsOf } from './sessions-of.ts';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

/** The version, or a value of the metadata. */
interface Group {
  version?: number;
  group?: string | null;
  others?: boolean;
}

type Row = Group & Omit<FieldCounts['by_version'][number], 'version'> & { accuracy: Share | undefined };

/** Number of values that have a column. */
const SHOWN_VALUES = 4;

/** Differences between smaller groups are often chance. */
const ENOUGH = 30;

const keyOfGroup = ({ version, group, others }: Group) => JSON.stringify([version, group, others]);

/** Warns about small groups. @param counts a field, because all have the same groups. */
export function SmallGroups({ counts: { by_group = [] } }: { counts: FieldCounts }) {
  const small = by_group.filter(({ count }) => count < ENOUGH).length;
  return small > 0 && <p className="note">{words.small(small, ENOUGH)}</p>;
}

interface GroupTableProps {
  counts: FieldCounts;
  reviewed: FieldAccuracy | undefined;
  period: Period;
}

export function GroupTable({ counts, reviewed, period }: GroupTableProps) {
  const { by } = route.useSearch();
  const isVersion = !isMetadata(by);
  const groups: Omit<Row, 'accuracy'>[] = (isVersion ? counts.by_version : counts.by_group) ?? [];
  if (isVersion && groups.length < 2) return null;
  const judged: (Group & Share)[] = (isVersion ? reviewed?.by_version : reviewed?.by_group) ?? [];
  const rows = groups.map((row) => ({
    ...row,
    accuracy: judged.find((share) => keyOfGroup(share) === keyOfGroup(row)),
  }));
  const byName = isVersion ? texts.versions.version : keyOf(by);
  return (
    <DataTable
      caption={words.byGroup(counts.title ?? counts.name, byName)}
      columns={columnsOf(counts, byName, period, judged.length > 0)}
      rows={rows}
      rowKey={keyOfGroup}
    />
  );
}

function columnsOf(
  { values, numbers }: FieldCounts,
  byName: string,
  period: Period,
  isReviewed: boolean,
): Column<Row>[] {
  const number = (key: string, title: string, cell: Column<Row>['cell']): Column<Row> => ({
    key,
    title,
    align: 'end',
    cell,
  });
  const shown = values
    .slice(0, SHOWN_VALUES)
    .map((value, index) =>
      number(`value ${index}`, formatShortValue(value), ({ value_counts, count, null_count }) => (
        <Counted part={value_counts[index] ?? 0} of={count - null_count} />
      )),
    );
  const mean = number('mean', words.mean, (row) => (row.mean === null ? <Nothing /> : formatMean(row.mean)));
  const right = number('right', texts.reviews.right, ({ accuracy }) =>
    accuracy ? <Counted part={accuracy.right} of={accuracy.judged} isNamed /> : <Nothing />,
  );
  return [
    { key: 'group', title: byName, cell: (row) => <GroupName row={row} period={period} /> },
    number('count', texts.common.sessions, ({ count }) => formatNumber(count)),
    number('null', texts.session.fields.notMentioned, ({ count, null_count }) => (
      <Counted part={null_count} of={count} />
    )),
    ...(numbers ? [mean] : shown),
    ...(isReviewed ? [right] : []),
  ];
}

/** A share with its interval. @param isNamed also shows the number of sessions. */
function Counted({ part, of, isNamed = false }: { part: number; of: number; isNamed?: boolean }) {
  // A list can contain a value twice.
  if (of === 0 || part > of) return <Nothing />;
  const range = formatRange(wilson(part, of));
  return (
    <>
      {formatShare(part / of)}
      <span className={styles['range']}>{isNamed ? words.rangeOf(range, of) : range}</span>
    </>
  );
}

/** Links to the sessions of the group. */
function GroupName({ row: { version, group, others }, period }: { row: Row; period: Period }) {
  const { assistantId } = route.useParams();
  const { by, field, version: only } = route.useSearch();
  if (version !== undefined)
    return (
      <Link to="." search={(search) => ({ ...search, version })}>
        {texts.versions.of(version)}
      </Link>
    );
  if (group == null || !isMetadata(by)) return others ? texts.usage.others : texts.usage.noValue;
  return (
    <Link
      to="/sessions"
      search={{ ...sessionsOf({ assistantId, version: only, field, period }), metadata: `${keyOf(by)}=${group}` }}
      className="cut"
      title={group}
    >
      <bdi>{group}</bdi>
    </Link>
  );
}
