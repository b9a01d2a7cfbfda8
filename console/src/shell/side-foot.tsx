import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { Button } from '../components/button.tsx';
import { showFailure } from '../components/toasts.tsx';
import { loginOptions, logOut } from '../server/login.ts';
import { texts } from '../texts/index.ts';
import styles from './shell.module.css';

/** The logged-in user, linked to the account with its language and theme. */
export function SideFoot() {
  const { data: user } = useQuery(loginOptions);
  return (
    <div className={`row apart ${styles['foot']}`}>
      <Link to="/settings/account" className={styles['who']}>
        <strong className="cut" title={user?.name}>
          {user?.name}
        </strong>
        <span className="cut" title={user?.email}>
          {user?.email}
        </span>
      </Link>
      <Button look="quiet" isIcon label={texts.shell.logOut} onClick={() => void logOut().catch(showFailure)}>
        <LogOut size={16} aria-hidden />
      </Button>
    </div>
  );
}
