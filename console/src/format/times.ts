/** Formats times in the selected time zone. */
import { translation } from '../texts/index.ts';
import type { Preferences } from './preferences.ts';

type Zone = Preferences['timeZone'];

const { dates: LOCALE, words } = translation;

function format(moment: string | number, zone: Zone, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(moment);
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  const parts = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone }).formatToParts(date);
  const month = words?.months[Number(date.toLocaleString('en', { month: 'numeric', timeZone })) - 1];
  return parts.map(({ type, value }) => (type === 'month' ? (month ?? value) : value)).join('');
}

/** Returns "14:03:07" today, otherwise "21 Nov, 14:03", with the year if it is not the current one. */
export function formatShortTime(iso: string, zone: Zone, now: number): string {
  const day = { dateStyle: 'short' } as const;
  if (format(iso, zone, day) === format(now, zone, day))
    return format(iso, zone, { timeStyle: 'medium', hourCycle: 'h23' });
  const isThisYear = new Date(now).getUTCFullYear() === new Date(iso).getUTCFullYear();
  return format(iso, zone, {
    ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** Returns the date and time to the millisecond, with the time zone. */
export const formatFullTime = (iso: string, zone: Zone) =>
  format(iso, zone, {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...{ fractionalSecondDigits: 3, hourCycle: 'h23', timeZoneName: 'short' },
  });

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
