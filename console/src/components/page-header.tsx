import { createLink } from '@tanstack/react-router';
import { useEffect, type ComponentProps, type ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import { Menu } from './menu.tsx';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  /** The title of the browser tab. Default: the title. */
  tabTitle?: string | undefined;
  /** Links to the list of the page. */
  crumb?: ReactNode;
  /** Stands after the title, such as the way to the next session. */
  beside?: ReactNode;
  below?: ReactNode;
  /** At most two buttons. */
  actions?: ReactNode;
  /** The entries of the menu "…". */
  more?: ReactNode;
}

/** The head of a page: one line of the same height on every page. */
export function PageHeader({ title, tabTitle = title, crumb, beside, below, actions, more }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${tabTitle} · ${texts.common.product}`;
  }, [tabTitle]);
  return (
    <>
      <header className={styles['header']}>
        {crumb && <div className={styles['crumb']}>{crumb}</div>}
        <h1 tabIndex={-1} dir="auto">
          {title}
        </h1>
        {beside}
        {(actions ?? more) && (
          <div className={styles['actions']}>
            {actions}
            {more && <Menu>{more}</Menu>}
          </div>
        )}
      </header>
      {below && <div className={styles['below']}>{below}</div>}
    </>
  );
}

/** Links to the parent of the page. The router takes a link to a parent for one to this page. */
export const ParentLink = createLink(({ 'aria-current': _current, ...link }: ComponentProps<'a'>) => <a {...link} />);
