import { getStats, readStatsPeriod, STATS_PERIOD_DAYS } from '../../contract/stats.ts';
import { findStats } from '../../db/queries/stats.ts';
import { invalid } from '../errors.ts';
import { handle } from '../http/handle.ts';

/** Most rows of an answer, which is some 5 MB then. */
const MAX_ROWS = 5_000;

export const statsRoutes = () => [
  handle(getStats, async ({ query, userId }) => {
    const { interval, group_by } = query;
    const { from, to, days } = readStatsPeriod(query, new Date());
    const { most } = STATS_PERIOD_DAYS[interval];
    if (days <= 0) throw invalid({ path: 'from', message: 'must be before `to`' });
    if (days > most) throw invalid({ path: 'from', message: `must be at most ${most} days before \`to\`` });
    const found = await findStats({ userId, from, to, interval, byAssistant: group_by === 'assistant' }, MAX_ROWS);
    if (found) return { from: from.toISOString(), to: to.toISOString(), interval, ...found };
    throw invalid({ path: 'group_by', message: `gives more than ${MAX_ROWS} rows: take a shorter time` });
  }),
];
