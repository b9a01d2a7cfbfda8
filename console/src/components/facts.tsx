import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = readonly [term: string, value: ReactNode];

/** Terms and their values, below each other. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles['facts']}>
    {facts.map(([term, value]) => (
      <FactPair key={term} term={term} value={value} />
    ))}
  </dl>
);

const FactPair = ({ term, value }: { term: string; value: ReactNode }) => (
  <>
    <dt>{term}</dt>
    <dd>{value}</dd>
  </>
);

/** The same beside each other, for the head of a page. */
export const FactStrip = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles['strip']}>
    {facts.map(([term, value]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
