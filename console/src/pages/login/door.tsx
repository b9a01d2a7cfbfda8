import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/index.ts';
import styles from './door.module.css';

interface DoorProps {
  title: string;
  subtitle: string;
  note?: string | undefined;
  children: ReactNode;
  /** The way to the other form. */
  other: ReactNode;
}

/** The frame of the pages that are seen before a login. */
export function Door({ title, subtitle, note, children, other }: DoorProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <main className={styles['door']}>
      <div className={styles['card']}>
        <header className={styles['head']}>
          <img src="/console/favicon.svg" alt="" />
          <h1>{title}</h1>
          <p>{subtitle}</p>
        </header>
        {note && (
          <p className={styles['note']} role="status">
            {note}
          </p>
        )}
        {children}
        <p className={styles['other']}>{other}</p>
      </div>
    </main>
  );
}
