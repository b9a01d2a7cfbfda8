/** Assistants whose sessions or deliveries failed. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listAssistantsOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { StatsRow } from '../../../../clients/typescript/src/index.ts';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import type { OverviewRange } from './overview-search.ts';
import styles from './overview.module.css';

const MOST_SHOWN = 8;

interface Trouble {
  assistantId: string;
  sessions: number;
  deliveries: number;
}

export function TroublePanel({ rows, range }: { rows: readonly StatsRow[]; range: OverviewRange }) {
  const { data } = useQuery(listAssistantsOptions());
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  const troubles = findTroubles(rows);
  return (
    <section className={styles['section']}>
      <h2>{texts.overview.trouble}</h2>
      {troubles.length === 0 ? (
        <p className={styles['note']}>{texts.overview.noTrouble}</p>
      ) : (
        <DataTable
          caption={texts.overview.trouble}
          columns={toColumns(names, range)}
          rows={troubles.slice(0, MOST_SHOWN)}
          rowKey={({ assistantId }) => assistantId}
        />
      )}
    </section>
  );
}

/** Returns what failed by assistant, the most first. */
function findTroubles(rows: readonly StatsRow[]): Trouble[] {
  const found = new Map<string, Trouble>();
  for (const { assistant_id: assistantId = '', sessions, deliveries } of rows) {
    const before = found.get(assistantId) ?? { assistantId, sessions: 0, deliveries: 0 };
    found.set(assistantId, {
      assistantId,
      sessions: before.sessions + sessions.failed,
      deliveries: before.deliveries + deliveries.failed,
    });
  }
  const failedOf = ({ sessions, deliveries }: Trouble) => sessions + deliveries;
  return [...found.values()].filter((each) => failedOf(each) > 0).sort((a, b) => failedOf(b) - failedOf(a));
}

const toColumns = (names: Map<string, string>, range: OverviewRange): Column<Trouble>[] => [
  {
    key: 'assistant',
    title: texts.sessions.assistant,
    isWide: true,
    cell: ({ assistantId }) =>
      names.has(assistantId) ? (
        <Link className={styles['cut']} to="/assistants/$assistantId" params={{ assistantId }}>
          {names.get(assistantId)}
        </Link>
      ) : (
        <span className={styles['cut']}>{assistantId}</span>
      ),
  },
  {
    key: 'sessions',
    title: texts.overview.failedSessions,
    align: 'end',
    cell: ({ assistantId, sessions }) => (
      <Link
        to="/sessions"
        search={{ status: 'failed', assistant_id: assistantId, range }}
        aria-label={texts.overview.sessionsOf(formatNumber(sessions), texts.status.failed)}
      >
        {formatNumber(sessions)}
      </Link>
    ),
  },
  {
    key: 'deliveries',
    title: texts.overview.failedDeliveries,
    align: 'end',
    cell: ({ assistantId, deliveries }) => (
      <Link
        to="/deliveries"
        search={{ status: 'failed', assistant_id: assistantId, range }}
        aria-label={texts.overview.deliveriesOf(formatNumber(deliveries), texts.status.failed)}
      >
        {formatNumber(deliveries)}
      </Link>
    ),
  },
];
