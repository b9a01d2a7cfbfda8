/** Numbers as people read them. */
import { LOCALE } from '../texts/index.ts';

const plain = new Intl.NumberFormat(LOCALE);
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

/** Costs of a call are fractions of a cent: as many digits as tell two of them apart. */
export function formatUsd(usd: number): string {
  const digits = usd === 0 || Math.abs(usd) >= 1 ? 2 : Math.abs(usd) >= 0.01 ? 4 : 6;
  const options = {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  } as const;
  return new Intl.NumberFormat(LOCALE, options).format(usd);
}

export const formatNumber = (value: number) => plain.format(value);

/** Numbers that a model answered may have any size: the digits of very large and very small ones tell nothing. */
export function formatAnswer(value: number): string {
  const size = Math.abs(value);
  return size >= 1e15 || (size > 0 && size < 1e-3) ? value.toPrecision(3) : plain.format(value);
}

export const formatPercent = (share: number) => percent.format(share);

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function formatBytes(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(LOCALE, {
    style: 'unit',
    unit: BYTE_UNITS[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  }).format(bytes / 1_000 ** step);
}
