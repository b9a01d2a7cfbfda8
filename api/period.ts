import { DEFAULT_PERIOD_DAYS, MAX_PERIOD_DAYS, type Period } from '../contract/service/usage.ts';
import { canonicalZone } from '../contract/values/schemas.ts';
import { readTimezones } from '../db/queries/time-zones.ts';
import { invalidAt } from './errors.ts';

const DAY_MS = 86_400_000;

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns the present day. The format of Sweden is that of ISO 8601. */
const todayIn = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format();

/** Returns the days of a query, with their defaults. Throws `validation_failed` if there are none or too many. */
export function readPeriod({ from, to }: { [K in keyof Period]?: string | undefined }, timezone = 'UTC'): Period {
  const today = todayIn(timezone);
  const last = to ?? (from !== undefined && from > today ? from : today);
  const first = from ?? toDay(Date.parse(last) - (DEFAULT_PERIOD_DAYS - 1) * DAY_MS);
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (days < 1) throw invalidAt('from', 'order:not_after', { other: '`to`' });
  if (days <= MAX_PERIOD_DAYS) return { from: first, to: last };
  throw invalidAt('from', 'period', { max: MAX_PERIOD_DAYS, unit: 'days' });
}

/** Returns the database's name of a time zone. */
export async function findTimezone(name: string): Promise<string> {
  const found = name === 'UTC' ? name : toDatabaseZone(name, await readTimezones());
  if (found === undefined) throw invalidAt('timezone', 'format:database_time_zone');
  return found;
}

/** Browsers use old names, such as `Asia/Calcutta` for `Asia/Kolkata`, that the database of a recent system may not have. */
export function toDatabaseZone(name: string, databaseNames: readonly string[]): string | undefined {
  const zone = canonicalZone(name);
  return databaseNames.find((each) => each === name) ?? databaseNames.find((each) => canonicalZone(each) === zone);
}
