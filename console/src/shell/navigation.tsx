import { Link } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { Bot, ChartColumn, LayoutDashboard, ListTree, Plus, Server, Settings } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { texts } from '../texts/index.ts';
import styles from './shell.module.css';

const ENTRIES: { to: LinkProps['to']; icon: LucideIcon; text: string; isExact?: boolean }[] = [
  { to: '/start', icon: Plus, text: texts.shell.start },
  { to: '/', icon: LayoutDashboard, text: texts.shell.overview, isExact: true },
  { to: '/sessions', icon: ListTree, text: texts.shell.sessions },
  { to: '/assistants', icon: Bot, text: texts.shell.assistants },
  { to: '/usage', icon: ChartColumn, text: texts.shell.usage },
  { to: '/settings', icon: Settings, text: texts.shell.settings },
  { to: '/system', icon: Server, text: texts.shell.system },
];

export const Navigation = () => (
  <nav className={styles['links']} aria-label={texts.shell.navigation}>
    {ENTRIES.map(({ to, icon: Icon, text, isExact = false }) => (
      <Link key={to} to={to} className={styles['link']} activeOptions={{ exact: isExact, includeSearch: false }}>
        <Icon size={16} aria-hidden />
        {text}
      </Link>
    ))}
  </nav>
);
