import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = readonly [term: string, value: ReactNode];

interface FactsProps {
  facts: readonly Fact[];
}

/** A list of terms and values. */
export const Facts = ({ facts }: FactsProps) => <dl className={styles['facts']}>{facts.map(toPair)}</dl>;

/** Terms and values in a row. */
export const FactStrip = ({ facts }: FactsProps) => <dl className={styles['strip']}>{facts.map(toPair)}</dl>;

const toPair = ([term, value]: Fact) => (
  <div key={term}>
    <dt>{term}</dt>
    <dd dir="auto">{value}</dd>
  </div>
);
