import { useMutation } from '@tanstack/react-query';
import type { TimelineEntry } from '../../../../clients/typescript/src/index.ts';
import {
  retryDeliveryNowMutation,
  stopDeliveryMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { sayFailure } from '../../components/toasts.tsx';
import { formatCountdown } from '../../format/durations.ts';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import styles from './waterfall.module.css';

const words = texts.attempts;

/** How long a wait goes on, and what can be done about it. */
export function WaitActions({ entry, rightPercent, now }: { entry: TimelineEntry; rightPercent: number; now: number }) {
  const leftMs = entry.due_at === null ? null : Date.parse(entry.due_at) - now;
  return (
    <div className={styles['onBar']} style={{ right: `${rightPercent}%` }}>
      <span>
        {leftMs === null ? texts.status.waiting : leftMs > 0 ? words.nextIn(formatCountdown(leftMs)) : words.due}
      </span>
      {entry.delivery_id !== null && <Steer deliveryId={entry.delivery_id} />}
    </div>
  );
}

/** The two ways to end the wait of a delivery. */
export function Steer({ deliveryId }: { deliveryId: string }) {
  const after = {
    onError: sayFailure,
    onSettled: () =>
      refresh('getSessionTimeline', 'getSession', 'listSessionDeliveries', 'getDelivery', 'listDeliveries'),
  };
  const sending = useMutation({ ...retryDeliveryNowMutation(), ...after });
  const stopping = useMutation({ ...stopDeliveryMutation(), ...after });
  const isBusy = sending.isPending || stopping.isPending;
  const options = { path: { id: deliveryId } };
  return (
    <>
      <Button look="primary" size="small" disabled={isBusy} onClick={() => sending.mutate(options)}>
        {words.sendNow}
      </Button>
      <Button size="small" disabled={isBusy} onClick={() => stopping.mutate(options)}>
        {words.stop}
      </Button>
    </>
  );
}
