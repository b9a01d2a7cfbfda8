/** The answers to a question and their accuracy by a key of the metadata, such as the agent, or by version. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AccuracyReport, FieldCounts, ResultsReport, Share } from 'conversation-analysis-client';
import { wilson } from '../../../../contract/values/wilson.ts';
import { Choice } from '../../components/choice.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { Nothing } from '../../components/values.tsx';
import { conditionOn, formatShortValue, replaceConditions } from '../../fields/conditions.ts';
import { formatMean, formatNumber } from '../../format/numbers.ts';
import { formatRange, formatShare } from '../../format/shares.ts';
import type { SessionsSearch } from '../../lists/search.ts';
import { isMetadata, keyOf, metadataGroups } from '../../search/groups.ts';
import type { Period } from '../../search/named-period.ts';
import { texts } from '../../texts/index.ts';
import { isChosen, sessionsOf } from './sessions-of.ts';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

/** The version, or a value of the metadata. */
interface Group {
  version?: number;
  group?: string | null;
  others?: boolean;
}

type Row = Group &
  Omit<FieldCounts['by_version'][number], 'version'> & {
    accuracy: Share | undefined;
    /** The filters of the group's sessions; undefined: no filter selects them. */
    search: SessionsSearch | undefined;
  };

/** What a column counts: a value of the question, or none. */
interface Kind {
  label: string;
  condition: string;
  partOf: (row: Row) => number;
  /** The share among all groups. */
  all: number;
}

/** Sessions of a group that are too few for a statement. */
const FEW = 10;

/** Number of values that have a column. */
const SHOWN_VALUES = 4;

const keyOfGroup = ({ version, group, others }: Group) => JSON.stringify([version, group, others]);

interface GroupPanelProps {
  report: ResultsReport;
  /** Undefined while conditions would distort it. */
  accuracy: AccuracyReport | undefined;
  /** The key of the metadata; otherwise by version. */
  group: string | undefined;
  period: Period;
}

export function GroupPanel({ report, accuracy, group, period }: GroupPanelProps) {
  const { assistantId } = route.useParams();
  const { field, version, question, values } = route.useSearch();
  const navigate = route.useNavigate();
  const counts =
    report.fields.find(({ name }) => name === question) ??
    report.fields.find(({ name }) => !isChosen(name, field)) ??
    report.fields[0];
  if (!counts) return null;
  const isVersion = !isMetadata(group);
  const reviewed = accuracy?.fields.find(({ name }) => name === counts.name);
  const judged: (Group & Share)[] = (isVersion ? reviewed?.by_version : reviewed?.by_group) ?? [];
  const groups: Omit<Row, 'accuracy' | 'search'>[] = (isVersion ? counts.by_version : counts.by_group) ?? [];
  const shown = sessionsOf({ assistantId, version, field, period, values });
  const searchOf = (row: Group): SessionsSearch | undefined => {
    if (row.version !== undefined) return sessionsOf({ assistantId, version: row.version, field, period, values });
    return isVersion || row.group == null ? undefined : { ...shown, metadata: `${keyOf(group)}=${row.group}` };
  };
  const rows = groups.map((row) => ({
    ...row,
    accuracy: judged.find((share) => keyOfGroup(share) === keyOfGroup(row)),
    search: searchOf(row),
  }));
  const kinds = kindsOf(counts, rows);
  const differing = kinds.flatMap((kind) => {
    const unlike = rows.filter((row) => isUnlikely(row, kind));
    const named = unlike.map((row) => `${titleOf(row)} ${shareOf(row, kind)}`).join(', ');
    return named ? `${kind.label} (${named})` : [];
  });
  const byName = isVersion ? texts.versions.version : keyOf(group);
  const choose = (change: { by?: string; question?: string }) =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  return (
    <Panel
      isFlush
      title={
        <span className="row">
          <Choice
            label={texts.versions.properties.description}
            options={report.fields.map(({ name, title }) => ({ value: name, label: title ?? name }))}
            value={counts.name}
            onChoose={(name) => choose({ question: name })}
          />
          <span className="note">{words.by}</span>
          <Choice
            label={words.by}
            options={[
              { value: 'version', label: texts.versions.version },
              ...metadataGroups(report.metadata_keys, group).map((value) => ({ value, label: keyOf(value) })),
            ]}
            value={isVersion ? 'version' : group}
            onChoose={(by) => choose({ by })}
          />
        </span>
      }
      actions={differing.length > 0 && <p className="note">{words.differs(differing.join(', '))}</p>}
    >
      <DataTable
        caption={`${counts.title ?? counts.name} ${words.by} ${byName}`}
        columns={columnsOf(counts, byName, rows, kinds)}
        rows={rows}
        rowKey={keyOfGroup}
      />
    </Panel>
  );
}

/** Returns the values with a column, and "Not mentioned" if a group lacks an answer. */
function kindsOf({ name, values, numbers }: FieldCounts, rows: readonly Row[]): Kind[] {
  const sum = (partOf: Kind['partOf']) => rows.reduce((total, row) => total + partOf(row), 0);
  const all = sum(({ count }) => count);
  const kind = (label: string, condition: string, partOf: Kind['partOf']) => ({
    label,
    condition,
    partOf,
    all: sum(partOf) / all,
  });
  const given = values
    .slice(0, numbers ? 0 : SHOWN_VALUES)
    .map((value, index) =>
      kind(formatShortValue(value), conditionOn(name, 'eq', value), (row) => row.value_counts[index] ?? 0),
    );
  const missing = kind(texts.fields.states.null, conditionOn(name, 'null'), ({ null_count }) => null_count);
  return missing.all > 0 ? [...given, missing] : given;
}

function columnsOf(
  { name, numbers }: FieldCounts,
  byName: string,
  rows: readonly Row[],
  kinds: readonly Kind[],
): Column<Row>[] {
  const number = (title: string, cell: Column<Row>['cell']): Column<Row> => ({ key: title, title, align: 'end', cell });
  const mean = number(words.mean, (row) => (row.mean === null ? <Nothing /> : formatMean(row.mean)));
  const right = number(texts.reviews.right, ({ accuracy }) =>
    accuracy && accuracy.judged > 0 ? (
      <span className="nowrap" title={`${formatShare(accuracy.right / accuracy.judged)} (${formatRange(accuracy)})`}>
        {texts.session.transcript.found(accuracy.right, accuracy.judged)}
      </span>
    ) : (
      <Nothing />
    ),
  );
  return [
    { key: 'group', title: byName, cell: (row) => <GroupName row={row} /> },
    number(texts.common.sessions, ({ count, search }) => <Linked count={count} search={search} />),
    ...(numbers ? [mean] : []),
    ...kinds.map((kind) => number(kind.label, (row) => <Counted name={name} row={row} kind={kind} />)),
    ...(rows.some(({ accuracy }) => accuracy) ? [right] : []),
  ];
}

/** A count, which links to its sessions if there are any and a filter selects them. */
const Linked = ({ count, search }: { count: number; search: SessionsSearch | undefined }) =>
  search && count > 0 ? (
    <Link to="/sessions" search={search} className={styles['linked']}>
      {formatNumber(count)}
    </Link>
  ) : (
    formatNumber(count)
  );

const shareOf = (row: Row, { partOf }: Kind) => formatShare(partOf(row) / row.count);

/** Returns whether the group differs from all by more than chance. A list can contain a value twice. */
function isUnlikely(row: Row, { partOf, all }: Kind): boolean {
  if (row.count < FEW || partOf(row) > row.count) return false;
  const { lower, upper } = wilson(partOf(row), row.count);
  return all < lower || all > upper;
}

/** A count with its share and interval, bold if it differs from all by more than chance. */
function Counted({ name, row, kind }: { name: string; row: Row; kind: Kind }) {
  const { count, search } = row;
  const part = kind.partOf(row);
  if (count === 0 || part > count) return <Nothing />;
  const shown = `${shareOf(row, kind)} (${formatRange(wilson(part, count))})`;
  return (
    <>
      <Linked
        count={part}
        search={search && { ...search, field: replaceConditions(search.field, name, [kind.condition]) }}
      />
      <span className={styles['range']}>{isUnlikely(row, kind) ? <strong>{shown}</strong> : shown}</span>
    </>
  );
}

const titleOf = ({ version, group, others }: Group): string =>
  version === undefined ? (group ?? (others ? texts.usage.others : texts.usage.noValue)) : texts.versions.of(version);

function GroupName({ row }: { row: Row }) {
  const { version } = row;
  const title = titleOf(row);
  return version === undefined ? (
    <bdi className="cut" title={title}>
      {title}
    </bdi>
  ) : (
    <Link to="." search={(search) => ({ ...search, version })}>
      {title}
    </Link>
  );
}
