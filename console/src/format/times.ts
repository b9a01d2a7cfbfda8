/** Times and days in the time zone of the browser. */
import { texts } from '../texts/index.ts';

const { dates: LOCALE, months } = texts.locale;

/** The name of the time zone, such as "Asia/Tashkent". */
export function zoneName(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  // Browsers on systems without a time zone show UTC.
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}

function partsOf(
  moment: string | number,
  options: Intl.DateTimeFormatOptions,
  timeZone = zoneName(),
): Intl.DateTimeFormatPart[] {
  const date = new Date(moment);
  const month = months?.[Number(date.toLocaleString('en', { month: 'numeric', timeZone })) - 1];
  const parts = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone }).formatToParts(date);
  return parts.map(({ type, value }) => ({ type, value: type === 'month' ? (month ?? value) : value }));
}

const format = (...args: Parameters<typeof partsOf>) =>
  partsOf(...args)
    .map(({ value }) => value)
    .join('');

/** Returns "21 Nov, 14:03", with the year if it is not the current one. */
export const formatShortTime = (moment: string | number): string =>
  format(moment, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(dayOf(moment).slice(0, 4) !== dayOf(Date.now()).slice(0, 4) && { year: 'numeric' }),
  });

/** Returns the date and time to the millisecond, with the time zone. */
export const formatFullTime = (iso: string) =>
  format(iso, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZoneName: 'short',
  });

/** Returns the time as the value of an input of type `datetime-local`, such as "2026-11-21T14:03". */
export const toTimeInput = (iso: string | number) =>
  new Date(new Date(iso).getTime() - offsetMsAt(iso)).toISOString().slice(0, 16);

const offsetMsAt = (moment: string | number) => new Date(moment).getTimezoneOffset() * 60_000;

export const fromTimeInput = (value: string) => new Date(value).toISOString();

/** Returns the day as an ISO date. */
export const dayOf = (moment: string | number) => toTimeInput(moment).slice(0, 10);

/** Returns the time at which a day begins. */
export const startOf = (day: string) => fromTimeInput(`${day}T00:00`);

/** Returns the name of the time zone at a time, such as "GMT+5". */
export const nameOfZone = (at: number) =>
  partsOf(at, { timeZoneName: 'short' }).find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Returns "21 Nov" for an ISO date, which is midnight in UTC for `Date`. */
export const formatDay = (isoDate: string) => format(isoDate, { month: 'short', day: 'numeric' }, 'UTC');
