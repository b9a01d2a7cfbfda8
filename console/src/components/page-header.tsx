import { createLink } from '@tanstack/react-router';
import { useEffect, type ComponentProps, type ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './page-header.module.css';
import { rememberPage } from './recent-pages.ts';

interface PageHeaderProps {
  title: string;
  /** The title of the browser tab. Default: the title. */
  tabTitle?: string | undefined;
  /** The parent of the page, such as a link to its list. */
  above?: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, tabTitle = title, above, below, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${tabTitle} · ${texts.common.product}`;
    rememberPage(tabTitle);
  }, [tabTitle]);
  return (
    <header className={`row apart ${styles['header']}`}>
      <div className={`stack ${styles['titles']}`}>
        {above && <div className="note">{above}</div>}
        <h1 tabIndex={-1} dir="auto">
          {title}
        </h1>
        {below && <div className={styles['below']}>{below}</div>}
      </div>
      {actions && <div className={`row ${styles['actions']}`}>{actions}</div>}
    </header>
  );
}

/** Links to the parent of the page. The router takes a link to a parent for one to this page. */
export const ParentLink = createLink(({ 'aria-current': _current, ...link }: ComponentProps<'a'>) => <a {...link} />);
