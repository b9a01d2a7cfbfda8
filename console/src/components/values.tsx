/** Amounts and moments, formatted alike on every page. */
import type { ReactNode } from 'react';
import { formatDuration } from '../format/durations.ts';
import { formatUsd } from '../format/numbers.ts';
import { formatFullTime, formatRelativeTime, formatShortTime } from '../format/times.ts';
import { useNow } from '../format/clock.ts';
import { usePreferences } from '../shell/preferences.ts';
import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './values.module.css';

/** Shows US dollars. @param isKnown false: the sum leaves out calls whose price is not known. */
export function Money({ usd, isKnown = true }: { usd: number | null; isKnown?: boolean }) {
  if (usd === null) return <span className={styles['muted']}>{texts.common.unknown}</span>;
  const amount = formatUsd(usd);
  return (
    <span className={styles['number']} title={isKnown ? undefined : texts.common.atLeastWhy}>
      {isKnown ? amount : texts.common.atLeast(amount)}
    </span>
  );
}

export function Duration({ ms }: { ms: number | null }) {
  if (ms === null) return <Nothing />;
  return <span className={styles['number']}>{formatDuration(ms)}</span>;
}

/** Shows a moment in the chosen time zone; its title has the whole of it. */
export function Time({ at, isRelative = false }: { at: string | null; isRelative?: boolean }) {
  const { timeZone } = usePreferences();
  const now = useNow(isRelative);
  if (at === null) return <Nothing />;
  return (
    <time className={styles['number']} dateTime={at} title={formatFullTime(at, timeZone)}>
      {isRelative ? formatRelativeTime(at, now) : formatShortTime(at, timeZone, now)}
    </time>
  );
}

export const Nothing = () => (
  <span className={styles['muted']} aria-label={texts.common.none}>
    –
  </span>
);

/** Shows an id that can be copied. */
export function Id({ value, label }: { value: string; label: string }) {
  return (
    <span className={styles['id']}>
      <code title={value}>{value}</code>
      <CopyButton text={value} label={`${texts.common.copy} ${label}`} />
    </span>
  );
}

/** Short remarks beside each other, for instance what is counted. */
export const Remarks = ({ children }: { children: ReactNode }) => <div className={styles['remarks']}>{children}</div>;
