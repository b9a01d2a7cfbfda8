/** A list with live updates and keyboard navigation. */
import { useEffect, useState } from 'react';
import type { Count } from 'conversation-analysis-client';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import type { DeliveryEvent, SessionEvent } from '../../live/events.ts';
import { useKeys } from '../../palette/use-keys.ts';
import { printQuery } from '../../search/parse.ts';
import { texts } from '../../texts/index.ts';
import styles from './list.module.css';
import { ListBody } from './list-frame.tsx';
import type { EmptyList } from './list-frame.tsx';
import { Matches } from './matches.tsx';
import { useLiveList } from './use-live-list.ts';
import type { ListPage, RowChanges } from './use-live-list.ts';

const PAGE_ROWS = 50;

type Query = Record<string, unknown>;

interface LiveTableProps<Row, Search extends Query> {
  name: 'sessions' | 'deliveries';
  search: Search;
  toQuery: (search: Search) => Query;
  /** Reads a page of the API. */
  read: (query: Query, signal: AbortSignal) => Promise<ListPage<Row>>;
  count: (query: Query, signal: AbortSignal) => Promise<Count>;
  idOf: (row: Row) => string;
  changesOf: (event: SessionEvent | DeliveryEvent) => RowChanges<Row> | undefined;
  columns: readonly Column<Row>[];
  empty: EmptyList;
}

export function LiveTable<Row, Search extends Query>(props: LiveTableProps<Row, Search>) {
  const { name, search, toQuery, read, count, idOf, changesOf, columns, empty } = props;
  const list = useLiveList<Row>({
    name,
    search,
    read: (cursor, signal) =>
      read({ ...toQuery(search), limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }, signal),
    idOf,
    changesOf,
  });
  const [current, setCurrent] = useCurrentRow(`${name}${printQuery(search)}`, list.rows.map(idOf));
  return (
    <>
      <div className={styles['toolbar']}>
        <Matches name={name} query={toQuery(search)} count={count} />
      </div>
      <ListBody list={list} hasFilters={Object.keys(search).length > 0} empty={empty}>
        <DataTable
          caption={texts.lists[name]}
          columns={columns}
          rows={list.rows}
          rowKey={idOf}
          currentKey={current}
          onOpen={setCurrent}
        />
      </ListBody>
    </>
  );
}

/** The current row by the address of its list: a step back returns to the row. */
const currentRows = new Map<string, string>();

/** Returns the current row. The keys j and k move it and focus its link. An opened row becomes current. */
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
