import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './page.module.css';

export function Page({ children, isNarrow = false }: { children: ReactNode; isNarrow?: boolean }) {
  return <div className={`stack ${styles['page']} ${isNarrow ? styles['narrow'] : ''}`}>{children}</div>;
}

interface PanelProps {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The content has its own padding. */
  isFlush?: boolean;
}

export function Panel({ title, actions, children, isFlush = false }: PanelProps) {
  return (
    <section className={styles['panel']}>
      {(title ?? actions) && (
        <div className={`row apart ${styles['panelHead']}`}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      <div className={isFlush ? styles['flush'] : styles['panelBody']}>{children}</div>
    </section>
  );
}

/** Placeholder lines while data loads. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" aria-label={texts.common.loading} className="stack">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles['skeleton']} style={{ width: `${95 - ((line * 23) % 50)}%` }} />
      ))}
    </div>
  );
}
