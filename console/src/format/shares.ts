import type { Share } from 'conversation-analysis-client';
import { formatBy, formatNumber, formatPercent } from './numbers.ts';

/** Returns a share in whole percents. Only exact shares are 0% and 100%. */
export function formatShare(share: number): string {
  const rounded = Math.round(share * 100) / 100;
  return formatPercent(rounded === share ? share : Math.min(0.99, Math.max(0.01, rounded)));
}

/** Returns "78–88". */
export const formatRange = ({ lower, upper }: Pick<Share, 'lower' | 'upper'>): string =>
  [lower ?? 0, upper ?? 1].map((bound) => formatNumber(Math.round(bound * 100))).join('–');

const points = (value: number) => (Math.abs(value) >= 0.01 ? Math.round(value * 100) : Math.round(value * 1_000) / 10);

/** Returns percentage points: "13", or "0.4" if there is less than one. */
export const formatPoints = (difference: number): string => formatNumber(points(difference));

const signed = formatBy({ signDisplay: 'exceptZero' });

/** Returns "+7" or "−0.4". */
export const formatSignedPoints = (difference: number): string => signed(points(difference));
