import { memo } from 'react';
import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** Takes the width that the others leave. */
  isWide?: boolean;
  /** Is left out on narrow screens. */
  isSecondary?: boolean;
}

interface DataTableProps<Row> {
  /** Said to those who listen. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The row that the keyboard is at. */
  currentKey?: string | undefined;
}

/** Shows a table whose filters, order and pages are the server's. */
export function DataTable<Row>({ caption, columns, rows, rowKey, currentKey }: DataTableProps<Row>) {
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={caption}>
      <table className={styles['table']}>
        <caption className="only-said">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={rowKey(row)} row={row} columns={columns} isCurrent={rowKey(row) === currentKey} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  isCurrent: boolean;
}

/** Rows that did not change are not drawn anew: a list may be a thousand rows long, and changes twice a second. */
const TableRow = memo(function TableRow<Row>({ row, columns, isCurrent }: TableRowProps<Row>) {
  return (
    <tr aria-current={isCurrent ? 'true' : undefined}>
      {columns.map((column) => (
        <td key={column.key} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

const classOf = <Row,>({ align, isWide, isSecondary }: Column<Row>) =>
  [align === 'end' && styles['end'], isWide && styles['wide'], isSecondary && styles['less']].filter(Boolean).join(' ');
