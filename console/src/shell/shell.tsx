import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Menu, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { useEventStream } from '../live/events.ts';
import { useLiveQueries } from '../live/live-queries.ts';
import { Keyboard } from '../palette/keyboard.tsx';
import { texts } from '../texts/index.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { Navigation } from './navigation.tsx';
import { SideFoot } from './side-foot.tsx';
import styles from './shell.module.css';

const MARK = '/console/favicon.svg';

/** What surrounds every page of someone who is logged in. */
export function Shell() {
  useEventStream();
  useLiveQueries();
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Going to another page closes it.
  const [menuOpenAt, setMenuOpenAt] = useState<string>();
  const isMenuOpen = menuOpenAt === path;
  const MenuIcon = isMenuOpen ? X : Menu;
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
            <MenuIcon size={18} aria-hidden />
          </Button>
        </div>
        <div className={styles['side']} data-open={isMenuOpen ? '' : undefined}>
          <Brand />
          <Keyboard />
          <Navigation />
          <SideFoot />
        </div>
      </header>
      <div className={styles['content']}>
        <ConnectionBanner />
        <main id="content" tabIndex={-1} style={{ outline: 'none' }}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

const Brand = () => (
  <Link to="/" className={styles['brand']}>
    <img src={MARK} alt="" />
    {texts.product}
  </Link>
);
