import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './comparison.module.css';
import { Nothing } from './values.tsx';

export interface ComparedRow<Title extends ReactNode = ReactNode> {
  key: string;
  title: Title;
  /** A single cell compares both itself, and spans both columns. */
  cells: readonly ReactNode[];
  isDifferent: boolean;
}

interface ComparisonProps {
  /** For screen readers. */
  caption: string;
  heads: readonly [ReactNode, ReactNode];
  rows: readonly ComparedRow[];
  /** Equal rows are hidden until the user wants to see them. */
  isBrief?: boolean;
}

/** Compares two things, one row for each property. Rows that differ are marked, unless all do. */
export function Comparison({ caption, heads, rows, isBrief = false }: ComparisonProps) {
  const different = rows.filter(({ isDifferent }) => isDifferent).length;
  return (
    <div className={`stack ${styles['comparison']}`}>
      {different === 0 && <p className="note">{texts.compare.same}</p>}
      {different > 0 && different < rows.length && (
        <label className={`note ${styles['filter']}`}>
          <input type="checkbox" defaultChecked={isBrief} /> {texts.compare.onlyDifferent}
        </label>
      )}
      <div className="scroll" tabIndex={0} role="region" aria-label={caption}>
        <table className={styles['table']}>
          {rows.some(({ cells }) => cells.length > 1) && (
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
          )}
          <tbody>
            {rows.map(({ key, title, cells, isDifferent }) => (
              <tr key={key} data-differs={isDifferent || undefined} data-plain={different === rows.length || undefined}>
                <th scope="row">
                  {title}{' '}
                  {isDifferent && different < rows.length && (
                    <span className={styles['mark']}>{texts.compare.differs}</span>
                  )}
                </th>
                {cells.map((cell, index) => (
                  <td key={index} colSpan={3 - cells.length} dir="auto">
                    {cell ?? <Nothing />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
