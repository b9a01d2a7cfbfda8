import { MAX_PERIOD_DAYS, readPeriod } from '../contract/period.ts';
import type { Period } from '../contract/period.ts';
import { invalid } from './errors.ts';

/** Returns the days that a query means. Throws `validation_failed` if they are none or too many. */
export function requirePeriod(query: { from?: string | undefined; to?: string | undefined }): Period {
  const period = readPeriod(query, new Date());
  if (period.days < 1) throw invalid({ path: 'from', message: 'must not be after `to`' });
  if (period.days > MAX_PERIOD_DAYS) {
    throw invalid({ path: 'from', message: `must be at most ${MAX_PERIOD_DAYS} days back` });
  }
  return period;
}
