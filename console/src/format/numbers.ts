import { translation } from '../texts/index.ts';

const LOCALE = translation.numbers;

const plain = new Intl.NumberFormat(LOCALE);
const decimal = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

/** Formats US dollars. Small amounts have more digits, because a call can cost a fraction of a cent. */
export function formatUsd(usd: number): string {
  const maximumFractionDigits = usd === 0 || Math.abs(usd) >= 1 ? 2 : Math.abs(usd) >= 0.01 ? 4 : 6;
  return new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits,
  }).format(usd);
}

/** Returns the number with one decimal place. */
export const formatDecimal = (value: number) => decimal.format(value);
export const formatNumber = (value: number) => plain.format(value);

/** Formats a number from a model. Very large and very small numbers are rounded to 3 digits. */
export function formatAnswer(value: number): string {
  const size = Math.abs(value);
  return size >= 1e15 || (size > 0 && size < 1e-3) ? value.toPrecision(3) : plain.format(value);
}

export const formatPercent = (share: number) => percent.format(share);

const change = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });

/** Returns "+12%" or "-3%". */
export const formatChange = (share: number) => change.format(share);

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
