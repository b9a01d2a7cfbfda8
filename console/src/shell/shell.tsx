import { useQuery } from '@tanstack/react-query';
import { createLink, Outlet, useRouterState } from '@tanstack/react-router';
import { Bot, Menu, Plus, X } from 'lucide-react';
import { Suspense, useState, type ComponentProps } from 'react';
import { countDeliveriesOptions } from 'conversation-analysis-client/react-query';
import { Button, ButtonLink } from '../components/button.tsx';
import { May } from '../components/may.tsx';
import { lazyPart } from '../server/load-file.ts';
import { useWorkspace, workspacesOptions } from '../server/membership.ts';
import { Keyboard } from '../palette/keyboard.tsx';
import { READ, RUN, START } from '../palette/places.ts';
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

/** Interval at which the number of waiting deliveries is read. */
const COUNT_MS = 30_000;

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
              <div className={styles['find']}>
                <Keyboard />
                <ButtonLink isIcon label={START.text} to={START.to} scope={START.scope}>
                  <Plus size={16} aria-hidden />
                </ButtonLink>
              </div>
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
  <NavigationLink to="/" look={`row ${styles['brand']}`}>
    <img src="/console/favicon.svg" alt="" />
    {texts.common.product}
  </NavigationLink>
);

const Navigation = ({ path }: { path: string }) => (
  <nav className={styles['links']} aria-label={texts.shell.navigation}>
    {[READ, RUN].map((places) => (
      <div key={places[0]?.letter}>
        {places.map(({ to, icon: Icon = Bot, text, paths, scope = 'members:read' }) => (
          <May key={text} scope={scope}>
            <NavigationLink to={to} isCurrent={paths?.test(path) ?? path.startsWith(String(to))}>
              <Icon size={16} aria-hidden />
              {text}
              {to === '/sessions' && (
                <May scope="webhooks:read">
                  <Waiting />
                </May>
              )}
            </NavigationLink>
          </May>
        ))}
      </div>
    ))}
  </nav>
);

interface NavigationLinkProps extends ComponentProps<'a'> {
  isCurrent?: boolean;
  look?: string | undefined;
}

const NavigationLink = createLink(({ isCurrent, look = styles['link'], ...link }: NavigationLinkProps) => (
  <a {...link} className={look} aria-current={isCurrent ? 'page' : undefined} />
));

/** The number of deliveries that are not delivered yet. */
function Waiting() {
  const { data } = useQuery({
    ...countDeliveriesOptions({ query: { status: 'pending' } }),
    enabled: useWorkspace() !== undefined,
    refetchInterval: COUNT_MS,
  });
  return data !== undefined && data.total > 0 && <b title={texts.common.deliveries}>{data.total}</b>;
}
