import type { ReactNode } from 'react';
import { Nothing } from './values.tsx';
import styles from './side-by-side.module.css';

interface ComparedRow {
  title: string;
  cells: readonly [ReactNode, ReactNode];
  /** Label of the difference; undefined if the cells are equal. */
  mark?: string | undefined;
}

interface SideBySideProps {
  /** For screen readers. */
  caption: string;
  heads: readonly [ReactNode, ReactNode];
  rows: readonly ComparedRow[];
}

/** A table that compares two things. Each row that differs has a label. */
export const SideBySide = ({ caption, heads, rows }: SideBySideProps) => (
  <div className="scroll" tabIndex={0} role="region" aria-label={caption}>
    <table className={styles['table']}>
      <thead>
        <tr>
          <td />
          {heads.map((head, index) => (
            <th key={index} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ title, cells, mark }) => (
          <tr key={title}>
            <th scope="row">
              {title}
              {mark && <span className={styles['mark']}>{mark}</span>}
            </th>
            {cells.map((cell, index) => (
              <td key={index} dir="auto">
                {cell ?? <Nothing />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
