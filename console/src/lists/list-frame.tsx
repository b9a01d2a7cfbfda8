/** The frame of the lists of sessions and deliveries. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowUp, ListFilter } from 'lucide-react';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Page, Skeleton } from '../components/page.tsx';
import { Problem } from '../components/problem-note.tsx';
import { Tab, Tabs } from '../components/tabs.tsx';
import { useMay } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import styles from './list.module.css';
import { MoreButton, type Pages } from './list-parts.tsx';
import { withoutFilters } from './search.ts';

const lists = texts.lists;
const LISTS = ['sessions', 'deliveries'] as const;

interface ListFrameProps {
  tab: (typeof LISTS)[number];
  /** The number of rows, in words. */
  count: string | undefined;
  actions: ReactNode;
  more?: ReactNode;
  /** The search and the period. */
  first: ReactNode;
  filters: ReactNode;
  /** What stands at the end of the filters. */
  tools: ReactNode;
  children: ReactNode;
}

export function ListFrame({ tab, count, actions, more, first, filters, tools, children }: ListFrameProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Page>
      <PageHeader
        title={texts.shell.sessions}
        tabTitle={texts.common[tab]}
        beside={
          <span className="note" role="status">
            {count}
          </span>
        }
        actions={actions}
        more={more}
      />
      <Tabs label={texts.shell.sessions}>
        {LISTS.map((list) => (
          <Tab key={list} to={`/${list}`} isCurrent={list === tab}>
            {texts.common[list]}
          </Tab>
        ))}
      </Tabs>
      <search className={`row ${styles['filters']}`} data-open={isOpen || undefined} aria-label={lists.filters}>
        {first}
        <Button data-opener aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ListFilter size={14} aria-hidden />
          {lists.filters}
        </Button>
        {filters}
        <span className={`row ${styles['tools']}`}>{tools}</span>
      </search>
      {children}
    </Page>
  );
}

/** Shown in an empty list without filters. */
export type EmptyList = Omit<ComponentProps<typeof EmptyState>, 'icon'>;

interface ListBodyProps {
  list: {
    pages: Pages &
      Pick<UseInfiniteQueryResult<unknown, unknown>, 'isPending' | 'isPlaceholderData' | 'error' | 'refetch'>;
    rows: readonly unknown[];
    newCount?: number;
    /** Whether there are more new rows than `newCount`. */
    hasMoreNew?: boolean;
    showNew?: () => void;
  };
  hasFilters: boolean;
  /** The words of the search. */
  q?: string | undefined;
  empty: EmptyList;
  children: ReactNode;
}

export function ListBody({ list, hasFilters, q, empty, children }: ListBodyProps) {
  const { pages, rows, newCount = 0, hasMoreNew = false, showNew } = list;
  const navigate = useNavigate();
  const may = useMay();
  if (pages.isPending) return <Skeleton lines={8} />;
  if (pages.error && rows.length === 0) return <Problem error={pages.error} onRetry={() => void pages.refetch()} />;
  const clear = (
    <Button onClick={() => void navigate({ to: '.', search: withoutFilters })}>{texts.labels.clearFilters}</Button>
  );
  const noMatch = { title: q === undefined ? lists.noMatch : lists.nothingContains(q), actions: clear };
  const onlyReads = { title: empty.title, detail: lists.noneForReaders };
  return (
    <>
      <div className={styles['new']} role="status">
        {newCount > 0 && (
          <Button look="primary" size="small" onClick={showNew}>
            <ArrowUp size={13} aria-hidden />
            {texts.lists.newRows(newCount, hasMoreNew)}
          </Button>
        )}
      </div>
      {rows.length > 0 ? (
        <div className={styles['rows']} aria-busy={pages.isPlaceholderData}>
          {children}
        </div>
      ) : (
        <EmptyState icon={ListFilter} {...(hasFilters ? noMatch : may('requests:write') ? empty : onlyReads)} />
      )}
      <MoreButton pages={pages} />
    </>
  );
}
