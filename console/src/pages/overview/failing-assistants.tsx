import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { getStatsOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import type { StatsRow } from 'conversation-analysis-client';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { formatNumber } from '../../format/numbers.ts';
import type { OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { words } from './words.ts';

const MAX_SHOWN = 8;

interface Failures {
  assistantId: string;
  sessions: number;
  deliveries: number;
}

/** Assistants with failed sessions or deliveries. */
export function FailingAssistants({ from, range }: { from: string; range: OverviewRange }) {
  const stats = useQuery({
    ...getStatsOptions({ query: { from, interval: 'day', group_by: 'assistant' } }),
    placeholderData: keepPreviousData,
  });
  const { data } = useQuery(listAssistantsOptions());
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  const tableOf = (failures: readonly Failures[]) =>
    failures.length === 0 ? (
      <p className="note">{words.noFailures}</p>
    ) : (
      <DataTable
        caption={words.failing}
        columns={toColumns(names, range)}
        rows={failures.slice(0, MAX_SHOWN)}
        rowKey={({ assistantId }) => assistantId}
      />
    );
  return (
    <Section title={words.failing}>
      <Loaded query={stats}>{({ data: rows }) => tableOf(countFailures(rows))}</Loaded>
    </Section>
  );
}

/** Returns the assistants with failures, the most failures first. */
function countFailures(rows: readonly StatsRow[]): Failures[] {
  return [...Map.groupBy(rows, ({ assistant_id = '' }) => assistant_id)]
    .map(([assistantId, ofAssistant]) => ({
      assistantId,
      sessions: ofAssistant.reduce((sum, { sessions }) => sum + sessions.failed, 0),
      deliveries: ofAssistant.reduce((sum, { deliveries }) => sum + deliveries.failed, 0),
    }))
    .filter(({ sessions, deliveries }) => sessions + deliveries > 0)
    .sort((a, b) => b.sessions + b.deliveries - a.sessions - a.deliveries);
}

const toColumns = (names: Map<string, string>, range: OverviewRange): Column<Failures>[] => [
  {
    key: 'assistant',
    title: texts.sessions.assistant,
    isWide: true,
    cell: ({ assistantId }) =>
      names.has(assistantId) ? (
        <Link
          className="cut"
          dir="auto"
          title={names.get(assistantId)}
          to="/assistants/$assistantId"
          params={{ assistantId }}
        >
          {names.get(assistantId)}
        </Link>
      ) : (
        <span className="cut">{assistantId}</span>
      ),
  },
  failedColumn('sessions', range),
  failedColumn('deliveries', range),
];

const failedColumn = (what: 'sessions' | 'deliveries', range: OverviewRange): Column<Failures> => ({
  key: what,
  title: texts.common[what],
  align: 'end',
  cell: ({ assistantId, ...counts }) => (
    <CountLink
      to={`/${what}`}
      search={{ status: 'failed', assistant_id: assistantId, range }}
      count={counts[what]}
      label={words.failed[what]}
    />
  ),
});

interface CountLinkProps extends Pick<LinkProps, 'to' | 'search'> {
  count: number;
  /** The name of the counted items. */
  label: string;
}

/** A number that links to its rows. */
export const CountLink = ({ count, label, ...link }: CountLinkProps) => (
  <Link {...link} aria-label={`${label}: ${formatNumber(count)}`}>
    {formatNumber(count)}
  </Link>
);
