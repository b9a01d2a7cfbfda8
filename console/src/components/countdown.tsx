import { useNow } from '../format/clock.ts';
import { formatCountdown } from '../format/durations.ts';
import { texts } from '../texts/index.ts';
import styles from './values.module.css';

/** Counts down to a moment of the server's; once it has come it says that it is due, and never less than nothing. */
export function Countdown({ to }: { to: string }) {
  const leftMs = Date.parse(to) - useNow();
  const isDue = leftMs <= 0;
  return (
    <span className={styles['number']} role="timer">
      {isDue ? texts.common.due : texts.common.inTime(formatCountdown(leftMs))}
    </span>
  );
}
