/** The sessions that the counts are of, each with its answers, and the same as a file. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CircleDashed, Download } from 'lucide-react';
import { listSessionsInfiniteOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { FieldCounts, SessionListItem } from '../../../../clients/typescript/src/index.ts';
import { Button, ButtonAnchor } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { SectionHead, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { sayValue } from '../../fields/conditions.ts';
import { printQuery } from '../../search/parse.ts';
import { momentsOf } from '../../search/period.ts';
import type { Period } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

interface AnswersProps {
  assistantId: string;
  fields: readonly FieldCounts[];
  period: Period;
}

export function Answers({ assistantId, fields, period }: AnswersProps) {
  const { field, version } = route.useSearch();
  const filter = {
    ...{ assistant_id: assistantId, status: 'completed' as const, include: 'fields' as const, ...momentsOf(period) },
    ...(field && { field }),
    ...(version !== undefined && { assistant_version: version }),
  };
  const query = { ...filter, limit: 50 };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...listSessionsInfiniteOptions({ query }),
    initialPageParam: { query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const rows: SessionListItem[] = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      <SectionHead
        title={texts.lists.sessions}
        actions={
          <div className={styles['downloads']}>
            {(['csv', 'jsonl'] as const).map((format) => (
              <ButtonAnchor key={format} href={`/api/v1/exports/sessions${printQuery({ ...filter, format })}`} download>
                <Download size={14} aria-hidden />
                {format.toUpperCase()}
              </ButtonAnchor>
            ))}
          </div>
        }
      />
      {error && !data ? <Problem error={error} onRetry={() => void refetch()} /> : !data && <Skeleton lines={6} />}
      {data && (
        <DataTable
          caption={words.table}
          columns={columnsOf(fields)}
          rows={rows}
          rowKey={({ session_id }) => session_id}
        />
      )}
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.common.more}
        </Button>
      )}
    </>
  );
}

function columnsOf(fields: readonly FieldCounts[]): Column<SessionListItem>[] {
  const started: Column<SessionListItem> = {
    key: 'started',
    title: texts.sessions.started,
    cell: ({ session_id, created_at }) => (
      <Link to="/sessions/$sessionId" params={{ sessionId: session_id }} className={styles['session']}>
        <Time at={created_at} />
      </Link>
    ),
  };
  const answers = fields.map(({ name, numbers }): Column<SessionListItem> => ({
    key: `field ${name}`,
    title: name,
    align: numbers ? 'end' : 'start',
    cell: (row) => <Answer row={row} name={name} />,
  }));
  return [started, ...answers];
}

function Answer({ row: { fields, unverified_fields }, name }: { row: SessionListItem; name: string }) {
  const value = fields && Object.hasOwn(fields, name) ? fields[name] : null;
  if (value == null) return <Nothing />;
  const isUnverified = unverified_fields?.includes(name) ?? false;
  return (
    <span className={styles['answer']} title={sayValue(value)}>
      <span>{sayValue(value)}</span>
      {isUnverified && (
        <CircleDashed
          size={13}
          role="img"
          aria-label={texts.fields.states.unverified}
          className={styles['unverified']}
        />
      )}
    </span>
  );
}
