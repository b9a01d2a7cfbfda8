import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState, type LinkProps } from '@tanstack/react-router';
import {
  Bot,
  ChartColumn,
  ClipboardCheck,
  FlaskConical,
  LayoutDashboard,
  ListTree,
  Menu,
  Plus,
  Server,
  Settings,
  X,
  type LucideIcon,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Scope } from '../../../contract/values/scopes.ts';
import { Button } from '../components/button.tsx';
import { May } from '../components/may.tsx';
import { lazyPart } from '../server/load-file.ts';
import { workspacesOptions } from '../server/membership.ts';
import { Keyboard } from '../palette/keyboard.tsx';
import { texts } from '../texts/index.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { Gate } from './gate.tsx';
import { SideFoot } from './side-foot.tsx';
import { Switcher } from './switcher.tsx';
import { useAccountLanguage } from './use-account-language.ts';
import { usePageFocus } from './use-page-focus.ts';
import styles from './shell.module.css';

const UploadBadge = lazyPart(() => import('../uploads/upload-badge.tsx'), 'UploadBadge');
const SignInBanner = lazyPart(() => import('./sign-in-banner.tsx'), 'SignInBanner');

/** The frame of all pages that require a login. */
export function Shell() {
  usePageFocus();
  useAccountLanguage();
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Navigation closes the menu.
  const [menuOpenAt, setMenuOpenAt] = useState<string>();
  const isMenuOpen = menuOpenAt === path;
  const MenuIcon = isMenuOpen ? X : Menu;
  // Nothing moves when the workspaces are loaded.
  const { isPending, errorUpdateCount } = useQuery(workspacesOptions);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#content">
        {texts.shell.skip}
      </a>
      <header className={styles['head']}>
        <div className={styles['top']}>
          <Brand />
          <Button
            look="quiet"
            isIcon
            label={isMenuOpen ? texts.shell.closeMenu : texts.shell.openMenu}
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpenAt(isMenuOpen ? undefined : path)}
          >
            <MenuIcon size={16} aria-hidden />
          </Button>
        </div>
        <div className={styles['side']} data-open={isMenuOpen ? '' : undefined}>
          <Brand />
          {(!isPending || errorUpdateCount > 0) && (
            <>
              <Switcher />
              <Keyboard />
              <Navigation path={path} />
              <Suspense>
                <UploadBadge />
              </Suspense>
              <SideFoot />
            </>
          )}
        </div>
      </header>
      <div className={styles['content']}>
        <Suspense>
          <SignInBanner />
        </Suspense>
        <main id="content" tabIndex={-1} className={styles['main']}>
          <Gate>
            <Outlet />
          </Gate>
        </main>
        <ConnectionBanner />
      </div>
    </div>
  );
}

const Brand = () => (
  <Link to="/" className={`row ${styles['brand']}`}>
    <img src="/console/favicon.svg" alt="" />
    {texts.common.product}
  </Link>
);

interface Entry {
  to: LinkProps['to'];
  icon: LucideIcon;
  text: string;
  isExact?: boolean;
  scope?: Scope;
}

const PAGES: Entry[] = [
  { to: '/start', icon: Plus, text: texts.shell.start, scope: 'requests:write' },
  { to: '/', icon: LayoutDashboard, text: texts.shell.overview, isExact: true },
  { to: '/sessions', icon: ListTree, text: texts.shell.sessions },
  { to: '/review', icon: ClipboardCheck, text: texts.shell.review, scope: 'reviews:write' },
  { to: '/experiments', icon: FlaskConical, text: texts.common.experiments },
  { to: '/assistants', icon: Bot, text: texts.shell.assistants },
  { to: '/usage', icon: ChartColumn, text: texts.shell.usage },
  { to: '/settings', icon: Settings, text: texts.shell.settings },
  { to: '/system', icon: Server, text: texts.shell.system },
];

/** Pages that belong to an entry with another path. */
const PARTS: [LinkProps['to'], RegExp][] = [
  ['/sessions', /^\/deliveries/],
  ['/experiments', /^\/batches/],
];

const Navigation = ({ path }: { path: string }) => (
  <nav className={styles['links']} aria-label={texts.shell.navigation}>
    {PAGES.map(({ to, icon: Icon, text, isExact = false, scope = 'members:read' }) => (
      <May key={to} scope={scope}>
        <Link
          to={to}
          className={styles['link']}
          activeOptions={{ exact: isExact, includeSearch: false }}
          aria-current={PARTS.some(([entry, part]) => entry === to && part.test(path)) ? 'page' : undefined}
        >
          <Icon size={16} aria-hidden />
          {text}
        </Link>
      </May>
    ))}
  </nav>
);
