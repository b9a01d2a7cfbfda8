import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, useRef, type MouseEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './data-table.module.css';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** Takes the remaining width. */
  isWide?: boolean;
  /** Hidden on narrow screens. */
  isSecondary?: boolean;
  /** Hidden until the user chooses it. */
  isExtra?: boolean;
  /** The value of the API's `sort` parameter for this column. */
  sort?: string;
}

interface DataTableProps<Row> {
  /** For screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The row that the keys j and k selected last, or the rows that the page compares. */
  currentKey?: string | readonly string[] | undefined;
  /** Called when the user opens a row. Must be a stable function. */
  onOpen?: (key: string) => void;
  /** The current order: the `sort` of a column, with a leading `-` if it is descending. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** The keys of the selected rows. Without it, rows can't be selected. */
  selected?: ReadonlySet<string>;
  /** Called when the selection changes. Must be a stable function. */
  onSelect?: (keys: readonly string[], isSelected: boolean) => void;
  /** On a phone, each row is a card. */
  isCards?: boolean;
}

/** A table. The server filters, sorts and pages the rows. */
export function DataTable<Row>({ caption, columns, rows, rowKey, currentKey, onOpen, ...props }: DataTableProps<Row>) {
  const { sort, onSort, selected, onSelect, isCards = false } = props;
  const lastClicked = useRef(0);
  /** Selects all rows between two clicks on their checkboxes, the second one with Shift. */
  const selectRange = ({ target, shiftKey }: MouseEvent) => {
    if (!(target instanceof HTMLInputElement)) return;
    const index = target.closest('tr')?.sectionRowIndex ?? 0;
    const [from, to] = [index, lastClicked.current].sort((a, b) => a - b);
    if (shiftKey) onSelect?.(rows.slice(from, (to ?? 0) + 1).map(rowKey), target.checked);
    lastClicked.current = index;
  };
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table className={`${styles['table']} ${isCards ? styles['cards'] : ''}`}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {selected && (
              <th scope="col" className={styles['select']}>
                <SelectBox
                  label={texts.lists.selectAll}
                  isSelected={rows.length > 0 && rows.every((row) => selected.has(rowKey(row)))}
                  onChange={(isSelected) => onSelect?.(rows.map(rowKey), isSelected)}
                />
              </th>
            )}
            {columns.map((column) => (
              <Header key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody onClick={selectRange}>
          {rows.map((row) => (
            <TableRow
              key={rowKey(row)}
              rowKey={rowKey(row)}
              row={row}
              columns={columns}
              isCurrent={[currentKey].flat().includes(rowKey(row))}
              onOpen={onOpen}
              isSelected={selected?.has(rowKey(row))}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderProps<Row> extends Pick<DataTableProps<Row>, 'sort' | 'onSort'> {
  column: Column<Row>;
}

/** The title of a column. A click on a sortable column sorts by it, first descending. */
function Header<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const isDescending = sort === `-${column.sort}`;
  const isSorted = isDescending || sort === column.sort;
  if (column.sort === undefined || !onSort) {
    return (
      <th scope="col" className={classOf(column)}>
        {column.title}
      </th>
    );
  }
  const Icon = isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={classOf(column)}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={styles['sort']}
        onClick={() => onSort(isDescending ? String(column.sort) : `-${column.sort}`)}
      >
        {column.title}
        <Icon size={13} aria-hidden data-sorted={isSorted} />
      </button>
    </th>
  );
}

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  isCurrent: boolean;
  rowKey: string;
  onOpen?: ((key: string) => void) | undefined;
  /** Undefined if rows can't be selected. */
  isSelected: boolean | undefined;
  onSelect: DataTableProps<Row>['onSelect'];
}

/** Unchanged rows are not rendered again: a list can have a thousand rows and change twice a second. */
const TableRow = memo(function TableRow<Row>({ row, rowKey, columns, ...props }: TableRowProps<Row>) {
  const { isCurrent, onOpen, isSelected, onSelect } = props;
  const open = (event: MouseEvent<HTMLTableRowElement>) => {
    onOpen?.(rowKey);
    followRowLink(event);
  };
  return (
    <tr
      aria-current={isCurrent ? 'true' : undefined}
      data-selected={isSelected || undefined}
      onClick={open}
      onAuxClick={followRowLink}
    >
      {isSelected !== undefined && (
        <td className={styles['select']}>
          <SelectBox
            label={texts.lists.selectRow}
            isSelected={isSelected}
            onChange={(isChosen) => onSelect?.([rowKey], isChosen)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} className={classOf(column)} data-title={column.title}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

/**
 * Follows the link of a row after a click beside it, as the link itself does: in a new tab with the middle button or a modifier.
 * The link can't cover its row, because a row of a table does not position its children in Safari.
 */
function followRowLink(event: MouseEvent<HTMLTableRowElement>): void {
  const { currentTarget: row, target, button, ctrlKey, metaKey, shiftKey } = event;
  const link = row.querySelector<HTMLAnchorElement>('[data-row-link]');
  const isOwn = target instanceof Element && target.closest('a, button, label, input') !== null;
  if (!link || isOwn || button > 1 || window.getSelection()?.isCollapsed === false) return;
  if (button === 1 || ctrlKey || metaKey || shiftKey) window.open(link.href, '_blank', 'noopener');
  else link.click();
}

interface SelectBoxProps {
  label: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

const SelectBox = ({ label, isSelected, onChange }: SelectBoxProps) => (
  <label>
    <input
      type="checkbox"
      aria-label={label}
      checked={isSelected}
      onChange={({ target }) => onChange(target.checked)}
    />
  </label>
);

/** Characters of a title that takes several lines. */
const LONG_TITLE = 24;

const classOf = <Row,>({ title, align, isWide, isSecondary }: Column<Row>) =>
  [
    align === 'end' && styles['end'],
    isWide && styles['wide'],
    isSecondary && styles['less'],
    title.length >= LONG_TITLE && styles['long'],
  ]
    .filter(Boolean)
    .join(' ');
