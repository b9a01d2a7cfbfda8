/** The frame of a page and its parts. */
import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './page.module.css';

export function Page({ children, isNarrow = false }: { children: ReactNode; isNarrow?: boolean }) {
  return <div className={isNarrow ? `${styles['page']} ${styles['narrow']}` : styles['page']}>{children}</div>;
}

interface PanelProps {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Its content brings its own padding. */
  isFlush?: boolean;
}

export function Panel({ title, actions, children, isFlush = false }: PanelProps) {
  return (
    <section className={styles['panel']}>
      {(title ?? actions) && (
        <div className={styles['panelHead']}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      <div className={isFlush ? styles['flush'] : styles['panelBody']}>{children}</div>
    </section>
  );
}

/** What stands above a part of a page that has no frame of its own, a table for instance. */
export const SectionHead = ({ title, actions }: { title: string; actions: ReactNode }) => (
  <div className={styles['sectionHead']}>
    <h2>{title}</h2>
    {actions}
  </div>
);

/** Lines that stand for what is being read. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" aria-label={texts.common.loading} style={{ display: 'grid', gap: '0.75rem' }}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles['skeleton']} style={{ width: `${95 - ((line * 23) % 50)}%` }} />
      ))}
    </div>
  );
}
