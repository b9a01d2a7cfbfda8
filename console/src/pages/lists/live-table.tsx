/** The rows of a list, which live, are walked by keyboard, and say what to do where there are none. */
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import type { DeliveryEvent, SessionEvent } from '../../live/events.ts';
import { texts } from '../../texts/index.ts';
import { ListBody } from './list-frame.tsx';
import type { EmptyList } from './list-frame.tsx';
import type { RangeSearch } from './range.ts';
import { toQuery, useOpenRow } from './use-list-search.ts';
import type { ListName } from './use-list-search.ts';
import { useLiveList } from './use-live-list.ts';
import type { ListPage, Told } from './use-live-list.ts';
import { useRowKeys } from './use-row-keys.ts';

const PAGE_ROWS = 50;

interface LiveTableProps<Row> {
  name: ListName;
  search: RangeSearch & Record<string, unknown>;
  /** Reads the page that the query, the API's own, asks for. */
  read: (query: Record<string, unknown>, signal: AbortSignal) => Promise<ListPage<Row>>;
  idOf: (row: Row) => string;
  toldBy: (event: SessionEvent | DeliveryEvent) => Told<Row> | undefined;
  columns: readonly Column<Row>[];
  empty: EmptyList;
}

export function LiveTable<Row>({ name, search, read, idOf, toldBy, columns, empty }: LiveTableProps<Row>) {
  const list = useLiveList<Row>({
    name,
    search,
    read: (cursor, signal) =>
      read({ ...toQuery(search), limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }, signal),
    idOf,
    toldBy,
  });
  const open = useOpenRow(name);
  const current = useRowKeys(list.rows.map(idOf), open);
  return (
    <ListBody list={list} hasFilters={Object.keys(search).length > 0} empty={empty}>
      <DataTable caption={texts.lists[name]} columns={columns} rows={list.rows} rowKey={idOf} currentKey={current} />
    </ListBody>
  );
}
