import { getUsage } from '../../contract/usage.ts';
import { findUsage } from '../../db/queries/usage.ts';
import { handle } from '../http/handle.ts';
import { invalid } from '../errors.ts';
import { requirePeriod } from '../require-period.ts';

/** Most rows of an answer, which is some 2 MB then. */
const MAX_ROWS = 10_000;

export const usageRoutes = () => [
  handle(getUsage, async ({ query, userId }) => {
    const { from, to } = requirePeriod(query);
    const group_by = query.group_by;
    const found = await findUsage(userId, { from, to }, group_by, MAX_ROWS);
    if (found) return { from, to, group_by, ...found };
    throw invalid({
      path: 'group_by',
      message: `gives more than ${MAX_ROWS} rows: take fewer groups or a shorter time`,
    });
  }),
];
