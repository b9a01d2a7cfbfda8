import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { loginOptions, logOut } from '../server/login.ts';
import { Button } from '../components/button.tsx';
import { Choice } from '../components/choice.tsx';
import { sayFailure } from '../components/toasts.tsx';
import { texts } from '../texts/index.ts';
import { prefer, usePreferences } from './preferences.ts';
import type { Preferences } from './preferences.ts';
import styles from './shell.module.css';

const toOptions = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));

/** The choices of this browser, and who is logged in. */
export function SideFoot() {
  const { theme, timeZone } = usePreferences();
  return (
    <div className={styles['foot']}>
      <div className={styles['choices']}>
        <label>
          {texts.shell.theme}
          <Choice
            label={texts.shell.theme}
            options={toOptions(texts.shell.themes)}
            value={theme}
            onChange={(event) => prefer({ theme: event.target.value as Preferences['theme'] })}
          />
        </label>
        <label>
          {texts.shell.timeZone}
          <Choice
            label={texts.shell.timeZone}
            options={toOptions(texts.shell.timeZones)}
            value={timeZone}
            onChange={(event) => prefer({ timeZone: event.target.value as Preferences['timeZone'] })}
          />
        </label>
      </div>
      <Account />
    </div>
  );
}

function Account() {
  const { data: user } = useQuery(loginOptions);
  const navigate = useNavigate();
  const leave = () => logOut().then(() => navigate({ to: '/login' }), sayFailure);
  return (
    <div className={styles['account']}>
      <span className={styles['who']}>
        <strong title={user?.name}>{user?.name}</strong>
        <span title={user?.email}>{user?.email}</span>
      </span>
      <Button look="quiet" isIcon label={texts.shell.logOut} onClick={() => void leave()}>
        <LogOut size={16} aria-hidden />
      </Button>
    </div>
  );
}
