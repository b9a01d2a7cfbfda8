import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  /** Where the page belongs, for instance a link to its list. */
  above?: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
}

/** The page's heading, which is the tab's title too. */
export function PageHeader({ title, above, below, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <header className={styles['header']}>
      <div className={styles['titles']}>
        {above && <div className={styles['above']}>{above}</div>}
        <h1>{title}</h1>
        {below && <div className={styles['below']}>{below}</div>}
      </div>
      {actions && <div className={styles['actions']}>{actions}</div>}
    </header>
  );
}
