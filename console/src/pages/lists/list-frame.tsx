/** What the lists of sessions, of deliveries and of batches share: head, tabs, filters, the count of what is new, states, pages. */
import { useNavigate } from '@tanstack/react-router';
import { ArrowUp, ListFilter } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ComponentProps, ReactNode, SyntheticEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Choice } from '../../components/choice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { texts } from '../../texts/index.ts';
import styles from './list.module.css';
import { RANGES } from './range.ts';
import type { RangeSearch } from './range.ts';
import type { ListName } from './use-list-search.ts';

interface ListFrameProps {
  tab: ListName | 'batches';
  actions: ReactNode;
  filters: ReactNode;
  children: ReactNode;
}

export function ListFrame({ tab, actions, filters, children }: ListFrameProps) {
  return (
    <Page>
      <PageHeader title={texts.lists.title} actions={actions} />
      <Tabs label={texts.lists.title}>
        <Tab to="/sessions" isCurrent={tab === 'sessions'}>
          {texts.lists.sessions}
        </Tab>
        <Tab to="/deliveries" isCurrent={tab === 'deliveries'}>
          {texts.lists.deliveries}
        </Tab>
        <Tab to="/batches" isCurrent={tab === 'batches'}>
          {texts.lists.batches}
        </Tab>
      </Tabs>
      <search className={styles['filters']} aria-label={texts.lists.filters}>
        {filters}
      </search>
      {children}
    </Page>
  );
}

interface FilterChoiceProps {
  label: string;
  name: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (name: string, value: string | undefined) => void;
}

/** One filter: its label stands where nothing is chosen. */
export const FilterChoice = ({ label, name, value, options, onChange }: FilterChoiceProps) => (
  <Choice
    label={label}
    value={value ?? ''}
    options={[{ value: '', label }, ...options]}
    onChange={(event) => onChange(name, event.target.value === '' ? undefined : event.target.value)}
  />
);

interface FilterTextProps extends Pick<ComponentProps<'input'>, 'inputMode' | 'pattern' | 'placeholder'> {
  label: string;
  name: string;
  value: string | undefined;
  onChange: FilterChoiceProps['onChange'];
}

/** One filter that is typed; the list follows on Enter, or when one goes on. */
export function FilterText({ label, name, value = '', onChange, ...input }: FilterTextProps) {
  const commit = ({ currentTarget: { value: typed, validity } }: SyntheticEvent<HTMLInputElement>) => {
    if (typed.trim() !== value && validity.valid) onChange(name, typed.trim() === '' ? undefined : typed.trim());
  };
  return (
    <input
      key={value}
      className={styles['typed']}
      aria-label={label}
      title={label}
      name={name}
      defaultValue={value}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit(event)}
      {...input}
    />
  );
}

export function RangeChoice({ search, onChange }: { search: RangeSearch; onChange: FilterChoiceProps['onChange'] }) {
  const isCustom = search.range === undefined && (search.created_after ?? search.created_before) !== undefined;
  const options = RANGES.map((value) => ({ value, label: texts.lists.ranges[value] }));
  const custom = { value: 'custom', label: texts.lists.ranges.custom };
  return (
    <Choice
      label={texts.lists.range}
      value={isCustom ? 'custom' : (search.range ?? '')}
      options={[{ value: '', label: texts.lists.ranges.all }, ...options, ...(isCustom ? [custom] : [])]}
      onChange={({ target: { value } }) => onChange('range', value === '' ? undefined : value)}
    />
  );
}

const TYPED_MS = 350;

/** Full-text search; the list follows when one stops typing. */
export function SearchField({ value, onChange }: { value: string | undefined; onChange: (q: string) => void }) {
  const [text, setText] = useState(value ?? '');
  useEffect(() => {
    if (text.trim() === (value ?? '')) return;
    const timer = setTimeout(() => onChange(text.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <SearchBox
      label={texts.lists.search}
      name="q"
      maxLength={200}
      placeholder={texts.lists.searchHint}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

/** What is said where there is nothing at all. */
export interface EmptyList {
  title: string;
  detail: string;
  actions: ReactNode;
}

interface ListBodyProps {
  list: {
    pages: {
      isPending: boolean;
      error: unknown;
      refetch: () => unknown;
      hasNextPage: boolean;
      isFetchingNextPage: boolean;
      fetchNextPage: () => unknown;
    };
    rows: readonly unknown[];
    newCount: number;
    /** There are more new rows than were counted. */
    hasMoreNew?: boolean;
    showNew: () => void;
  };
  hasFilters: boolean;
  empty: EmptyList;
  children: ReactNode;
}

export function ListBody({ list, hasFilters, empty, children }: ListBodyProps) {
  const { pages, rows, newCount, hasMoreNew = false, showNew } = list;
  const navigate = useNavigate();
  if (pages.isPending) return <Skeleton lines={8} />;
  if (pages.error && rows.length === 0) return <Problem error={pages.error} onRetry={() => void pages.refetch()} />;
  const pill = (
    <div className={styles['new']} role="status">
      {newCount > 0 && (
        <Button look="primary" size="small" onClick={showNew}>
          <ArrowUp size={13} aria-hidden />
          {texts.lists.newRows(newCount, hasMoreNew)}
        </Button>
      )}
    </div>
  );
  if (rows.length === 0) {
    const clear = <Button onClick={() => void navigate({ to: '.', search: {} })}>{texts.common.clearFilters}</Button>;
    return (
      <>
        {pill}
        {hasFilters ? (
          <EmptyState
            icon={ListFilter}
            title={texts.lists.noMatch}
            detail={texts.lists.noMatchDetail}
            actions={clear}
          />
        ) : (
          <EmptyState icon={ListFilter} {...empty} />
        )}
      </>
    );
  }
  return (
    <>
      {pill}
      {children}
      {pages.hasNextPage && (
        <div className={styles['more']}>
          <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {texts.common.more}
          </Button>
        </div>
      )}
    </>
  );
}
