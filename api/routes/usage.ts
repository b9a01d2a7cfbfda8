import { getUsage, MAX_USAGE_DAYS, readPeriod } from '../../contract/usage.ts';
import { findUsage } from '../../db/queries/usage.ts';
import { handle } from '../http/handle.ts';
import { invalid } from '../errors.ts';

/** Most rows of an answer, which is some 2 MB then. */
const MAX_ROWS = 10_000;

export const usageRoutes = () => [
  handle(getUsage, async ({ query, userId }) => {
    const { from, to, days } = readPeriod(query, new Date());
    if (days < 1) throw invalid({ path: 'from', message: 'must not be after `to`' });
    if (days > MAX_USAGE_DAYS) throw invalid({ path: 'from', message: `must be at most ${MAX_USAGE_DAYS} days back` });
    const group_by = query.group_by;
    const found = await findUsage(userId, { from, to }, group_by, MAX_ROWS);
    if (found) return { from, to, group_by, ...found };
    throw invalid({
      path: 'group_by',
      message: `gives more than ${MAX_ROWS} rows: take fewer groups or a shorter time`,
    });
  }),
];
