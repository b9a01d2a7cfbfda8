/** The sessions of the results with their field values, and links to export them. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { listSessionsInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { FieldCounts, SessionListItem } from 'conversation-analysis-client';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SectionHead } from '../../components/page.tsx';
import { Time } from '../../components/values.tsx';
import { answerColumn } from '../../fields/answer-column.tsx';
import { firstValue } from '../../format/metadata.ts';
import { momentsOf, type Period } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { ExportLinks, MoreButton } from '../../lists/list-parts.tsx';
import { rememberList } from '../../lists/neighbors.ts';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

const idOf = ({ session_id }: SessionListItem) => session_id;

interface AnswersProps {
  assistantId: string;
  fields: readonly FieldCounts[];
  period: Period;
}

export function Answers({ assistantId, fields, period }: AnswersProps) {
  const { field, version } = route.useSearch();
  const filter = {
    assistant_id: assistantId,
    status: 'completed' as const,
    include: 'fields' as const,
    ...momentsOf(period),
    // Without reanalyses and trials, like the charts.
    reanalysis: 'false' as const,
    ...(field && { field }),
    ...(version !== undefined && { assistant_version: version }),
  };
  const query = { ...filter, limit: 50 };
  const sessions = useInfiniteQuery({
    ...listSessionsInfiniteOptions({ query }),
    initialPageParam: { query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  return (
    <>
      <SectionHead
        title={texts.common.sessions}
        actions={
          <div className="row">
            <ExportLinks query={filter} />
          </div>
        }
      />
      <Loaded query={sessions} lines={6}>
        {({ pages }) => (
          <DataTable
            caption={words.table}
            columns={columnsOf(fields)}
            rows={pages.flatMap((page) => page.data)}
            rowKey={idOf}
            onOpen={() => rememberList({ ids: pages.flatMap(({ data }) => data.map(idOf)) })}
          />
        )}
      </Loaded>
      <MoreButton pages={sessions} />
    </>
  );
}

function columnsOf(fields: readonly FieldCounts[]): Column<SessionListItem>[] {
  const session: Column<SessionListItem> = {
    key: 'session',
    title: texts.kinds.sess,
    cell: ({ session_id, metadata, assistant }) => {
      const title = firstValue(metadata) ?? assistant.name;
      return (
        <Link to="/sessions/$sessionId" params={{ sessionId: session_id }} className={styles['session']} data-row-link>
          <bdi className="cut" title={title}>
            {title}
          </bdi>
        </Link>
      );
    },
  };
  const started: Column<SessionListItem> = {
    key: 'started',
    title: texts.sessions.started,
    cell: ({ created_at }) => <Time at={created_at} />,
  };
  return [session, started, ...fields.map(answerColumn)];
}
