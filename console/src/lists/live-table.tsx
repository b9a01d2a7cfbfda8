/** A list with live updates and keyboard navigation. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link2, X } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState, type ComponentProps, type ReactNode } from 'react';
import type { Count } from 'conversation-analysis-client';
import { Button } from '../components/button.tsx';
import { DataTable, type Column } from '../components/data-table.tsx';
import { useKeys } from '../components/use-keys.ts';
import { printQuery } from '../search/parse.ts';
import { LIST_COUNT } from '../server/queries.ts';
import { texts } from '../texts/index.ts';
import { ColumnPicker, useColumns } from './column-picker.tsx';
import { useFilterChange } from './filter-bar.tsx';
import styles from './list.module.css';
import { ListBody, ListFrame, type EmptyList } from './list-frame.tsx';
import { currentRows, rememberList } from './neighbors.ts';
import { isFiltered, toMoments, type RangeSearch } from './search.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { NEWEST_FIRST, type ListSearch, type ListSource, type Operation } from './list-options.ts';
import { useLiveList } from './use-live-list.ts';

interface LiveTableProps<Row, Search extends ListSearch> extends ListSource<Row, Search> {
  /** The API operation that counts the rows. */
  count: Operation<Count>;
  idOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  empty: EmptyList;
  frame: Omit<ComponentProps<typeof ListFrame>, 'tab' | 'count' | 'more' | 'children'>;
  /** The actions on selected rows. @param rows undefined: all rows of the filters */
  actionsOf: (ids: readonly string[], rows: readonly Row[] | undefined, count: string) => ReactNode;
  /** The entries of the menu "…", which act on all rows of the filters. */
  moreOf?: (count: string) => ReactNode;
  /** Whether all rows of the filters can be selected, also those that are not loaded. */
  hasAll?: boolean;
}

export function LiveTable<Row, Search extends ListSearch>(props: LiveTableProps<Row, Search>) {
  const { name, search, toQuery, count, idOf, columns: all, empty, frame, actionsOf, moreOf, hasAll } = props;
  // Follows from the columns, and is neither a filter nor in the URL.
  const { include: _, ...shown } = search;
  const { columns: inUrl } = search;
  const columns = useColumns(name, all, inUrl);
  const list = useLiveList(props);
  const filters = printQuery({ ...shown, columns: undefined });
  const change = useFilterChange(`/${name}`);
  const address = `${name}${filters}`;
  const ids = useMemo(() => list.rows.map(idOf), [list.rows, idOf]);
  const [current, setCurrent] = useCurrentRow(address, ids);
  const [selected, select] = useSelection(filters);
  const { data: total } = useCount(name, toQuery(search), count);
  const words = total && texts.lists.counts[name](total.total, total.has_more);
  const isEverything = hasAll && ids.length > 0 && ids.every((id) => selected.has(id));
  // Every change of the selection ends the selection of all rows.
  const [allOf, setAllOf] = useState<ReadonlySet<string>>();
  const isAll = allOf === selected;
  const open = useCallback(
    (key: string) => {
      setCurrent(key);
      if (name === 'sessions') rememberList({ address, ids });
    },
    [setCurrent, name, address, ids],
  );
  const isEmpty = total?.total === 0;
  const tools = (
    <>
      {!isEmpty && frame.tools}
      <CopyButton text={() => fixedLink(shown)} label={texts.lists.copyLink} look="plain" icon={Link2} />
      <ColumnPicker {...{ name, all }} shown={columns} />
    </>
  );
  return (
    <ListFrame
      tab={name}
      count={words}
      {...frame}
      {...(isEmpty && { actions: null })}
      more={!isEmpty && moreOf?.(words ?? '')}
      tools={tools}
    >
      <ListBody
        list={list}
        hasFilters={isFiltered(shown)}
        q={isFiltered({ ...shown, q: undefined }) ? undefined : search.q}
        empty={empty}
      >
        <DataTable
          caption={texts.common[name]}
          columns={columns}
          rows={list.rows}
          rowKey={idOf}
          currentKey={current}
          onOpen={open}
          selected={selected}
          onSelect={select}
          sort={search.sort ?? NEWEST_FIRST[name]}
          onSort={(sort) => change('sort', sort === NEWEST_FIRST[name] ? undefined : sort)}
          isCards
        />
      </ListBody>
      {selected.size > 0 && (
        <div className={`row ${styles['selection']}`}>
          <strong role="status">
            {isAll && words ? texts.lists.allSelected(words) : texts.lists.selected(selected.size)}
          </strong>
          {isEverything && !isAll && words && (
            <Button look="quiet" onClick={() => setAllOf(selected)}>
              {texts.lists.selectMatching(words)}
            </Button>
          )}
          {actionsOf(
            [...selected],
            isAll ? undefined : list.rows.filter((row) => selected.has(idOf(row))),
            words ?? '',
          )}
          <Button look="quiet" isIcon label={texts.lists.clearSelection} onClick={() => select([...selected], false)}>
            <X size={16} aria-hidden />
          </Button>
        </div>
      )}
    </ListFrame>
  );
}

/** Returns a link to the list that shows the same rows later, and in another time zone. */
const fixedLink = (search: RangeSearch) =>
  location.origin + location.pathname + printQuery({ ...search, ...toMoments(search), range: undefined });

/** Returns the number of rows that match the filters. */
const useCount = (name: string, { include: _, ...query }: Record<string, unknown>, count: Operation<Count>) =>
  useQuery({
    queryKey: [LIST_COUNT, name, query],
    queryFn: async ({ signal }) => (await count({ query, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
  });

/** Limit of selected rows, because an action sends their IDs in a URL. */
const MAX_SELECTED = 100;
const NONE: ReadonlySet<string> = new Set();

/** Returns the IDs of the selected rows, and a function that changes the selection. Another list starts without one. */
function useSelection(address: string) {
  const [selection, setSelection] = useState({ address, ids: NONE });
  const select = useCallback(
    (ids: readonly string[], isSelected: boolean) =>
      setSelection((before) => {
        const known = before.address === address ? [...before.ids] : [];
        const next = isSelected ? [...known, ...ids] : known.filter((id) => !ids.includes(id));
        return { address, ids: new Set([...new Set(next)].slice(0, MAX_SELECTED)) };
      }),
    [address],
  );
  return [selection.address === address ? selection.ids : NONE, select] as const;
}

/** Returns the current row. The keys j and k select another row and focus its link. Opening a row makes it current. */
function useCurrentRow(address: string, ids: readonly string[]) {
  const [current, setCurrent] = useState(() => currentRows.get(address));
  useEffect(() => {
    if (current !== undefined) currentRows.set(address, current);
  }, [address, current]);
  useKeys((key) => {
    if (key !== 'j' && key !== 'k') return false;
    const index = current === undefined ? -1 : ids.indexOf(current);
    const next = Math.min(ids.length - 1, Math.max(0, index + (key === 'j' ? 1 : -1)));
    setCurrent(ids[next]);
    const link = document.querySelectorAll<HTMLElement>('#content [data-row-link]')[next];
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
    return true;
  });
  return [current, setCurrent] as const;
}
