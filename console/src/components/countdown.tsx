import { useNow } from '../format/clock.ts';
import { formatCountdown } from '../format/durations.ts';
import { texts } from '../texts/index.ts';
import styles from './values.module.css';

/** Counts down to a time on the server's clock, then shows "due now". */
export function Countdown({ to }: { to: string }) {
  const leftMs = Date.parse(to) - useNow();
  return (
    <span className={styles['number']} role="timer">
      {leftMs <= 0 ? texts.common.due : texts.common.inTime(formatCountdown(leftMs))}
    </span>
  );
}
