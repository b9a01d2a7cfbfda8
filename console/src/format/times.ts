/** Formats times in the selected time zone. */
import { LOCALE } from '../texts/index.ts';
import type { Preferences } from './preferences.ts';

type Zone = Preferences['timeZone'];

const zoned = (zone: Zone, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, { ...options, ...(zone === 'utc' && { timeZone: 'UTC' }) });

/** Returns "14:03:07" today, otherwise "21 Nov, 14:03", with the year if it is not the current one. */
export function formatShortTime(iso: string, zone: Zone, now: number): string {
  const date = new Date(iso);
  const day = zoned(zone, { dateStyle: 'short' });
  if (day.format(date) === day.format(now)) return zoned(zone, { timeStyle: 'medium', hourCycle: 'h23' }).format(date);
  const isThisYear = new Date(now).getUTCFullYear() === date.getUTCFullYear();
  return zoned(zone, {
    ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(!isThisYear && { year: 'numeric' }),
  }).format(date);
}

/** Returns the date and time to the millisecond, with the time zone. */
export function formatFullTime(iso: string, zone: Zone): string {
  return zoned(zone, {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...{ fractionalSecondDigits: 3, hourCycle: 'h23', timeZoneName: 'short' },
  }).format(new Date(iso));
}

/** Returns "14:00". */
export const formatHour = (iso: string, zone: Zone): string =>
  zoned(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(iso));

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

/** Returns "3 minutes ago" or "in 2 days". */
export function formatRelativeTime(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(seconds, 'second');
  if (size < 3_600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative.format(Math.round(seconds / 3_600), 'hour');
  return relative.format(Math.round(seconds / 86_400), 'day');
}

const day = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Returns "21 Nov" for an ISO date. Days are in UTC. */
export const formatDay = (isoDate: string) => day.format(new Date(isoDate));
