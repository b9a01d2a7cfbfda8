import { texts } from '../texts/index.ts';

const LOCALE = texts.locale.numbers;

/** Formats like `Intl.NumberFormat`, with the same minus sign in each language. */
export const formatBy = (options?: Intl.NumberFormatOptions) => {
  const { format } = new Intl.NumberFormat(LOCALE, options);
  return (value: number) => format(value).replace('-', '−');
};

export const formatNumber = formatBy();
export const formatPercent = formatBy({ style: 'percent', maximumFractionDigits: 1 });
/** Returns the number with one decimal place. */
export const formatDecimal = formatBy({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** Returns the number with all its digits. */
export const formatExact = formatBy({ maximumFractionDigits: 20, useGrouping: false });

/** The smallest amount that is shown. */
const LEAST_USD = 0.0001;

/**
 * Formats US dollars. Amounts below a dollar have up to 4 decimals, because a call can cost a fraction of a cent.
 * @param least the least number of decimals below a dollar.
 */
export function formatUsd(usd: number, least = 2): string {
  if (usd > 0 && usd < LEAST_USD / 2) return `<${formatUsd(LEAST_USD)}`;
  const isSmall = usd !== 0 && Math.abs(usd) < 1;
  return formatBy({
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: isSmall ? least : 2,
    maximumFractionDigits: isSmall ? 4 : 2,
  })(usd);
}

/** Formats a number from a model. Very large and very small numbers are rounded to 3 digits. */
export function formatAnswer(value: number): string {
  const size = Math.abs(value);
  return size >= 1e15 || (size > 0 && size < 1e-3) ? value.toPrecision(3).replaceAll('-', '−') : formatNumber(value);
}

/** Formats a mean, with two decimal places or three digits. */
export const formatMean = (mean: number) =>
  formatAnswer(Number(Math.abs(mean) < 1 ? mean.toPrecision(3) : mean.toFixed(2)));

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** Returns "500 MiB", in the units of the API's limits. */
export function formatBytes(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const digits = formatBy({ maximumFractionDigits: step < 2 ? 0 : 1 });
  return `${digits(bytes / 1_024 ** step)}\u00A0${BYTE_UNITS[step]}`;
}

/** The separator of columns that goes with the decimal separator of this browser, as spreadsheets expect it. */
export const csvDelimiter = () => (new Intl.NumberFormat().format(1.5).includes(',') ? 'semicolon' : 'comma');
