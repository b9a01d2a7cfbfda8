import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ping, useConnection } from '../server/connection.ts';
import { texts } from '../texts/index.ts';
import styles from './shell.module.css';

/** Says when what is shown may be old, since nobody answers. */
export function ConnectionBanner() {
  const connection = useConnection();
  const isOffline = useIsOffline();
  const isShown = isOffline || connection === 'away';
  return (
    <div role="status">
      {isShown && (
        <p className={styles['banner']}>
          <CloudOff size={16} aria-hidden />
          {isOffline ? texts.shell.offline : texts.shell.away}
        </p>
      )}
    </div>
  );
}

function useIsOffline(): boolean {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const look = () => {
      setOffline(!navigator.onLine);
      if (navigator.onLine) void ping();
    };
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return isOffline;
}
