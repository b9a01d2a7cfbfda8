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

type Row = Group &
  Omit<FieldCounts['by_version'][number], 'version'> & {
    accuracy: Share | undefined;
    /** The filters of the group's sessions; undefined: no filter selects them. */
    search: SessionsSearch | undefined;
  };

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
  const counts = report.fields.find(({ name }) => name === question) ?? report.fields[0];
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
  const byName = isVersion ? texts.versions.version : keyOf(group);
  const choose = (change: { by?: string; question?: string }) =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  return (
    <Panel
      isFlush
      title={
        <span className="row">
          {words.by}
          <Choice
            label={words.by}
            options={[
              { value: 'version', label: texts.versions.version },
              ...metadataGroups(report.metadata_keys, group).map((value) => ({ value, label: keyOf(value) })),
            ]}
            value={isVersion ? 'version' : group}
            onChoose={(by) => choose({ by })}
          />
          <Choice
            label={texts.versions.properties.description}
            options={report.fields.map(({ name, title }) => ({ value: name, label: title ?? name }))}
            value={counts.name}
            onChoose={(name) => choose({ question: name })}
          />
        </span>
      }
    >
      <DataTable
        caption={words.byGroup(counts.title ?? counts.name, byName)}
        columns={columnsOf(counts, byName, rows)}
        rows={rows}
        rowKey={keyOfGroup}
      />
    </Panel>
  );
}

function columnsOf({ name, values, numbers }: FieldCounts, byName: string, rows: readonly Row[]): Column<Row>[] {
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const number = (key: string, title: string, cell: Column<Row>['cell']): Column<Row> => ({
    key,
    title,
    align: 'end',
    cell,
  });
  const withCondition = (search: SessionsSearch | undefined, condition: string): SessionsSearch | undefined =>
    search && { ...search, field: replaceConditions(search.field, name, [condition]) };
  const shown = values
    .slice(0, SHOWN_VALUES)
    .map((value, index) =>
      number(`value ${index}`, formatShortValue(value), ({ value_counts, count, search }) => (
        <Counted
          part={value_counts[index] ?? 0}
          of={count}
          search={withCondition(search, conditionOn(name, 'eq', value))}
          all={rows.reduce((sum, row) => sum + (row.value_counts[index] ?? 0), 0) / all}
        />
      )),
    );
  const mean = number('mean', words.mean, (row) => (row.mean === null ? <Nothing /> : formatMean(row.mean)));
  const right = number('right', texts.reviews.right, ({ accuracy }) =>
    accuracy && accuracy.judged > 0 ? (
      <span title={`${formatShare(accuracy.right / accuracy.judged)} (${formatRange(accuracy)})`}>
        {texts.session.transcript.found(accuracy.right, accuracy.judged)}
      </span>
    ) : (
      <Nothing />
    ),
  );
  const missing = number('null', texts.session.fields.notMentioned, ({ count, null_count, search }) => (
    <Counted part={null_count} of={count} search={withCondition(search, conditionOn(name, 'null'))} />
  ));
  return [
    { key: 'group', title: byName, cell: (row) => <GroupName row={row} /> },
    number('count', texts.common.sessions, ({ count, search }) => (
      <Linked search={search}>{formatNumber(count)}</Linked>
    )),
    ...(numbers ? [mean] : shown),
    ...(rows.some(({ null_count }) => null_count > 0) ? [missing] : []),
    ...(rows.some(({ accuracy }) => accuracy) ? [right] : []),
  ];
}

/** A count, which links to its sessions if a filter selects them. */
const Linked = ({ search, children }: { search: SessionsSearch | undefined; children: string }) =>
  search ? (
    <Link to="/sessions" search={search} className={styles['linked']}>
      {children}
    </Link>
  ) : (
    children
  );

interface CountedProps {
  part: number;
  of: number;
  search: SessionsSearch | undefined;
  /** The share among all groups. */
  all?: number;
}

/** A count with its share and interval, bold if it differs from all by more than chance. */
function Counted({ part, of, search, all }: CountedProps) {
  // A list can contain a value twice.
  if (of === 0 || part > of) return <Nothing />;
  const range = wilson(part, of);
  const shown = `${formatShare(part / of)} (${formatRange(range)})`;
  return (
    <>
      <Linked search={search}>{formatNumber(part)}</Linked>
      <span className={styles['range']}>
        {all !== undefined && (all < range.lower || all > range.upper) ? (
          <strong title={words.differs(formatShare(all))}>{shown}</strong>
        ) : (
          shown
        )}
      </span>
    </>
  );
}

function GroupName({ row: { version, group, others } }: { row: Row }) {
  if (version !== undefined) {
    return (
      <Link to="." search={(search) => ({ ...search, version })}>
        {texts.versions.of(version)}
      </Link>
    );
  }
  if (group == null) return others ? texts.usage.others : texts.usage.noValue;
  return (
    <bdi className="cut" title={group}>
      {group}
    </bdi>
  );
}
