import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = readonly [term: ReactNode, value: ReactNode];

interface FactsProps {
  /** Facts that are false are not shown. */
  facts: readonly (Fact | false)[];
}

/** A list of terms and values. */
export const Facts = ({ facts }: FactsProps) => <dl className={styles['facts']}>{facts.map(toPair)}</dl>;

const toPair = (fact: Fact | false, index: number) =>
  fact && (
    <div key={index}>
      <dt>{fact[0]}</dt>
      <dd dir="auto">{fact[1]}</dd>
    </div>
  );
