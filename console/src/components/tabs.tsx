import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import styles from './tabs.module.css';

/** Tabs as links: each tab has a URL and works with the browser's history. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className={styles['tabs']} aria-label={label}>
    {children}
  </nav>
);

interface TabProps extends ComponentProps<'a'> {
  /** Default: whether the page has the URL of the link. */
  isCurrent?: boolean;
}

export const Tab = createLink(({ isCurrent, ...link }: TabProps) => (
  <a {...link} className={styles['tab']} aria-current={(isCurrent ?? link['aria-current']) ? 'page' : undefined} />
));
