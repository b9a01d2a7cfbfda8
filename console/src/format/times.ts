/** Formats times in the selected time zone. */
import { texts } from '../texts/index.ts';
import type { Preferences } from './preferences.ts';

type Zone = Preferences['timeZone'];

const { dates: LOCALE, words } = texts.locale;

function partsOf(moment: string | number, zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormatPart[] {
  const date = new Date(moment);
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  const month = words?.months[Number(date.toLocaleString('en', { month: 'numeric', timeZone })) - 1];
  const parts = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone }).formatToParts(date);
  return parts.map(({ type, value }) => ({ type, value: type === 'month' ? (month ?? value) : value }));
}

const format = (...args: Parameters<typeof partsOf>) =>
  partsOf(...args)
    .map(({ value }) => value)
    .join('');

/** Returns "14:03:07" today, otherwise "21 Nov, 14:03", with the year if it is not the current one. */
export function formatShortTime(iso: string, zone: Zone, now: number): string {
  const day = { dateStyle: 'short' } as const;
  if (format(iso, zone, day) === format(now, zone, day))
    return format(iso, zone, { timeStyle: 'medium', hourCycle: 'h23' });
  const isThisYear = new Date(now).getUTCFullYear() === new Date(iso).getUTCFullYear();
  return format(iso, zone, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** Returns the date and time to the millisecond, with the time zone. */
export const formatFullTime = (iso: string, zone: Zone) =>
  format(iso, zone, {
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
export function toTimeInput(iso: string, zone: Zone): string {
  const date = new Date(iso);
  const offsetMs = zone === 'utc' ? 0 : date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - offsetMs).toISOString().slice(0, 16);
}

export const fromTimeInput = (value: string, zone: Zone) =>
  new Date(zone === 'utc' ? `${value}Z` : value).toISOString();

/** Returns the name of the time zone at a time, such as "GMT+5". */
export const nameOfZone = (zone: Zone, at: number) =>
  partsOf(at, zone, { timeZoneName: 'short' }).find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Returns "14:00". */
export const formatHour = (iso: string, zone: Zone) =>
  format(iso, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const intlRelative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const relative = words?.relative ?? intlRelative.format.bind(intlRelative);

/** Returns "3 minutes ago" or "in 2 days". */
export function formatRelativeTime(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  const size = Math.abs(seconds);
  if (size < 60) return relative(seconds, 'second');
  if (size < 3_600) return relative(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative(Math.round(seconds / 3_600), 'hour');
  return relative(Math.round(seconds / 86_400), 'day');
}

/** Returns "21 Nov" for an ISO date. Days are in UTC. */
export const formatDay = (isoDate: string) => format(isoDate, 'utc', { month: 'short', day: 'numeric' });
