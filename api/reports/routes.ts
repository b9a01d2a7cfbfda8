/** Usage, statistics and field results of a period. */
import { getUsage, MAX_PERIOD_DAYS, readPeriod } from '../../contract/usage.ts';
import type { Period } from '../../contract/usage.ts';
import { getAssistantResults } from '../../contract/results.ts';
import { getStats, readStatsPeriod, STATS_PERIOD_DAYS } from '../../contract/stats.ts';
import { AssistantFieldModel } from '../../db/models/assistant-field.ts';
import { findFailingReceivers } from '../../db/queries/failing-receivers.ts';
import { findFieldResults } from '../../db/queries/field-results.ts';
import { findStats } from '../../db/queries/stats.ts';
import { findUsage } from '../../db/queries/usage.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import { invalid } from '../errors.ts';
import { handle } from '../http/handle.ts';
import { toFieldFilters } from '../sessions/session-filter.ts';

/** About 2 MB. */
const MAX_USAGE_ROWS = 10_000;
/** About 5 MB. */
const MAX_STATS_ROWS = 5_000;
/** An assistant's 50 fields, and some that it had before. */
const MAX_FIELDS = 100;
/** Takes about a second. */
const MAX_ANSWERS = 500_000;

export const reportRoutes = () => [
  handle(getUsage, async ({ query, workspaceId }) => {
    const { from, to } = requirePeriod(query);
    const { group_by } = query;
    const found = await findUsage(workspaceId, { from, to }, group_by, MAX_USAGE_ROWS);
    if (found) return { from, to, group_by, ...found };
    const message = `gives more than ${MAX_USAGE_ROWS} rows: use fewer groups or a shorter period`;
    throw invalid({ path: 'group_by', message });
  }),

  handle(getStats, async ({ query, workspaceId }) => {
    const { interval, group_by } = query;
    const { from, to, days } = readStatsPeriod(query, new Date());
    const { most } = STATS_PERIOD_DAYS[interval];
    if (days <= 0) throw invalid({ path: 'from', message: 'must be before `to`' });
    if (days > most) throw invalid({ path: 'from', message: `must be at most ${most} days before \`to\`` });
    const request = { workspaceId, from, to, interval, byAssistant: group_by === 'assistant' };
    const [found, receivers] = await Promise.all([findStats(request, MAX_STATS_ROWS), findFailingReceivers(request)]);
    if (found) return { from: from.toISOString(), to: to.toISOString(), interval, ...found, receivers };
    throw invalid({ path: 'group_by', message: `gives more than ${MAX_STATS_ROWS} rows: use a shorter period` });
  }),

  handle(getAssistantResults, async ({ params, query: { version, field = [], ...query }, workspaceId }) => {
    const { from, to } = requirePeriod(query);
    const { id } = await findAssistant(workspaceId, params.id);
    const known = await AssistantFieldModel.findKnown(workspaceId, id);
    const filters = toFieldFilters(known, field);
    const found = await findFieldResults(known.slice(0, MAX_FIELDS), { from, to, version, filters }, MAX_ANSWERS);
    if (found) return { from, to, ...found };
    throw invalid({ path: 'from', message: `has more than ${MAX_ANSWERS} answers until \`to\`: use a shorter period` });
  }),
];

/** Returns the days of a query. Throws `validation_failed` if there are none or too many. */
function requirePeriod(query: { from?: string | undefined; to?: string | undefined }): Period {
  const period = readPeriod(query, new Date());
  if (period.days < 1) throw invalid({ path: 'from', message: 'must not be after `to`' });
  if (period.days <= MAX_PERIOD_DAYS) return period;
  throw invalid({ path: 'from', message: `must be at most ${MAX_PERIOD_DAYS} days back` });
}
