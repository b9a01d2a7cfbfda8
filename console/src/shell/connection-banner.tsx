import { onlineManager, useQuery } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { CloudOff, ServerOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { getInfoOptions } from 'conversation-analysis-client/react-query';
import { formatShortTime } from '../format/times.ts';
import { unreachableSince } from '../server/connection.ts';
import { useWorkspace } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import styles from './shell.module.css';

/** Interval at which the state of the workers is requested. */
const CHECK_MS = 15_000;

const subscribeToOnline = (listener: () => void) => onlineManager.subscribe(listener);

/** Shows that the server can't be reached, or that no worker is running. */
export function ConnectionBanner() {
  const since = useSelector(unreachableSince);
  const isOnline = useSyncExternalStore(subscribeToOnline, () => onlineManager.isOnline());
  const enabled = useWorkspace() !== undefined;
  const { data: info } = useQuery({ ...getInfoOptions(), enabled, refetchInterval: CHECK_MS });
  const text = !isOnline
    ? texts.shell.offline
    : since !== undefined
      ? texts.shell.away(formatShortTime(since))
      : info?.workers.running === 0
        ? texts.shell.noWorker(info.workers.last_seen_at && formatShortTime(info.workers.last_seen_at))
        : undefined;
  const Icon = isOnline && since === undefined ? ServerOff : CloudOff;
  return (
    <div role="status" className={styles['status']}>
      {text !== undefined && (
        <p className={styles['banner']}>
          <Icon size={16} aria-hidden />
          {text}
        </p>
      )}
    </div>
  );
}
