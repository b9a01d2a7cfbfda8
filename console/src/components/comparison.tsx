import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './comparison.module.css';
import { Facts } from './facts.tsx';
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
  /** Shown if nothing differs. */
  same?: string;
}

/** Compares two things: a table of what differs, and below it what both have in common. What neither has is not shown. */
export function Comparison({ caption, heads, rows, same = texts.compare.same }: ComparisonProps) {
  const different = rows.filter(({ isDifferent }) => isDifferent);
  const equal = rows.filter(({ isDifferent, cells }) => !isDifferent && cells.at(-1) !== null);
  const common = <Facts facts={equal.map(({ title, cells }) => [title, cells.at(-1)])} />;
  if (different.length === 0) {
    return (
      <div className="stack">
        {same && <p>{same}</p>}
        {common}
      </div>
    );
  }
  return (
    <div className={`stack ${styles['comparison']}`}>
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
            {different.map(({ key, title, cells }) => (
              <tr key={key}>
                <th scope="row">{title}</th>
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
      {equal.length > 0 && (
        <details>
          <summary className="note">{texts.compare.equal(equal.length)}</summary>
          {common}
        </details>
      )}
    </div>
  );
}
