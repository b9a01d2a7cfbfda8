import type { ReactNode } from 'react';
import { formatCountdown, formatDuration } from '../format/durations.ts';
import { formatUsd } from '../format/numbers.ts';
import { formatFullTime, formatShortTime } from '../format/times.ts';
import { useNow } from '../format/clock.ts';
import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './values.module.css';

/** Shows US dollars. @param isKnown false: the sum excludes calls without a known price. */
export function Money({ usd, isKnown = true }: { usd: number | null; isKnown?: boolean }) {
  if (usd === null) return <span className={styles['muted']}>{texts.labels.unknown}</span>;
  // The decimals stand below each other.
  const amount = formatUsd(usd, 4);
  return (
    <span className={styles['number']} title={isKnown ? undefined : texts.labels.atLeastWhy}>
      {isKnown ? amount : texts.labels.atLeast(amount)}
    </span>
  );
}

export function Duration({ ms }: { ms: number | null }) {
  if (ms === null) return <Nothing />;
  return <span className={styles['number']}>{formatDuration(ms)}</span>;
}

/** Shows the time between two times. Without an end, it counts up. */
export function Elapsed({ from, to }: { from: string; to: string | null }) {
  const now = useNow(to === null);
  return <Duration ms={Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from))} />;
}

/** Shows a time in the browser's time zone, with the full time as its title. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <Nothing />;
  return (
    <time className={styles['number']} dateTime={at} title={formatFullTime(at)}>
      {formatShortTime(at)}
    </time>
  );
}

/** Counts down to a time on the server's clock, then shows "due now". */
export function Countdown({ to }: { to: string }) {
  const leftMs = Date.parse(to) - useNow();
  return (
    <span className={styles['number']} role="timer">
      {leftMs <= 0 ? texts.labels.due : texts.labels.inTime(formatCountdown(leftMs))}
    </span>
  );
}

export const Nothing = () => (
  <span className={styles['muted']} aria-label={texts.labels.none}>
    –
  </span>
);

/** Shows an ID with a copy button. */
export const Id = ({ value, label }: { value: string; label: string }) => (
  <span className={styles['id']}>
    <code className="cut" title={value}>
      {value}
    </code>
    <CopyButton text={value} label={texts.labels.copyOf(label)} />
  </span>
);

/** Short notes in a row. */
export const Remarks = ({ children }: { children: ReactNode }) => <div className={styles['remarks']}>{children}</div>;
