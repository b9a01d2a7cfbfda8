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
            <tr key={rowKey(row)} aria-current={rowKey(row) === currentKey ? 'true' : undefined}>
              {columns.map((column) => (
                <td key={column.key} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = <Row,>({ align, isWide, isSecondary }: Column<Row>) =>
  [align === 'end' && styles['end'], isWide && styles['wide'], isSecondary && styles['less']].filter(Boolean).join(' ');
