import type { TimelineEntry } from '../../../../clients/typescript/src/index.ts';
import { SteerDelivery } from '../../deliveries/steer-delivery.tsx';
import { formatCountdown } from '../../format/durations.ts';
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
      {entry.delivery_id !== null && <SteerDelivery deliveryId={entry.delivery_id} size="small" />}
    </div>
  );
}
