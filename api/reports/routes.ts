/** Usage, statistics and field results of a period. */
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import { BYTE_ORDER_MARK, toCsvLine } from '../../contract/values/csv-line.ts';
import { getUsage } from '../../contract/service/usage.ts';
import { isMetadataGroup } from '../../contract/values/metadata-group.ts';
import { exportAssistantResults, getAssistantResults, type ResultsReport } from '../../contract/service/results.ts';
import {
  FailingReceiverSchema,
  getStats,
  SessionFailuresSchema,
  STATS_PERIOD_DAYS,
} from '../../contract/service/stats.ts';
import { AssistantFieldModel } from '../../db/models/assistant-field.ts';
import { findFailingReceivers } from '../../db/queries/failing-receivers.ts';
import { findFieldResults } from '../../db/queries/field-results.ts';
import { findSessionFailures, findStats } from '../../db/queries/stats.ts';
import { findUsage } from '../../db/queries/usage.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import { invalidAt } from '../errors.ts';
import { findMetadataKeys } from '../metadata-keys.ts';
import { handle, presentRow } from '../http/handle.ts';
import { Reply } from '../reply.ts';
import { readAssistantAccuracy } from '../reviews/accuracy.ts';
import { downloadHeaders } from '../sessions/archive.ts';
import { findTimezone, readPeriod } from '../period.ts';
import { toFieldFilters } from '../sessions/session-filter.ts';
import { toResultLines } from './result-lines.ts';

/** About 2 MB. */
const MAX_USAGE_ROWS = 10_000;
/** About 5 MB. */
const MAX_STATS_ROWS = 5_000;
const MAX_LISTED_KEYS = 50;
/** An assistant's 50 fields, and some that it had before. */
const MAX_FIELDS = 100;
/** Takes about a second. */
const MAX_ANSWERS = 500_000;

export const reportRoutes = () => [
  handle(getUsage, async ({ query, workspaceId }) => {
    const { group_by, timezone } = query;
    const metadata_keys = await findMetadataKeys(workspaceId, group_by.find(isMetadataGroup));
    const period = { ...readPeriod(query, timezone), timezone: await findTimezone(timezone) };
    const found = await findUsage(workspaceId, period, group_by, MAX_USAGE_ROWS);
    if (found)
      return { ...period, timezone, group_by, metadata_keys: metadata_keys.slice(0, MAX_LISTED_KEYS), ...found };
    throw invalidAt('group_by', 'rows', { max: MAX_USAGE_ROWS, advice: 'fewer groups or a shorter period' });
  }),

  handle(getStats, async ({ query, workspaceId }) => {
    const { interval, group_by } = query;
    const { from, to } = readStatsPeriod(query);
    const timezone = await findTimezone(query.timezone);
    const request = { workspaceId, from, to, interval, timezone, byAssistant: group_by === 'assistant' };
    const [found, receivers, session_failures] = await Promise.all([
      findStats(request, MAX_STATS_ROWS),
      findFailingReceivers(request),
      findSessionFailures(request),
    ]);
    if (!found) throw invalidAt('group_by', 'rows', { max: MAX_STATS_ROWS, advice: 'a shorter period' });
    return {
      ...{ from: from.toISOString(), to: to.toISOString(), interval, ...found },
      receivers: receivers.map((row) => presentRow(FailingReceiverSchema, row)),
      session_failures: session_failures.map((row) => presentRow(SessionFailuresSchema, row)),
    };
  }),

  handle(getAssistantResults, ({ params, query, workspaceId }) => readResults(workspaceId, params.id, query)),

  handle(exportAssistantResults, async ({ params: { id }, query: { delimiter, ...query }, workspaceId, isHead }) => {
    const headers = downloadHeaders('text/csv; charset=utf-8', 'results', 'csv');
    if (isHead) return new Reply(undefined, { headers });
    const [results, accuracy] = [
      await readResults(workspaceId, id, query),
      await readAssistantAccuracy(workspaceId, id, query),
    ];
    const lines = toResultLines(results, accuracy, query.group_by).map((cells) => toCsvLine(cells, delimiter));
    return new Reply(Buffer.from(BYTE_ORDER_MARK + lines.join('')), { headers });
  }),
];

const DAY_MS = 86_400_000;

/** Returns the times of a query, with their defaults. Throws `validation_failed` if the period is empty or too long. */
function readStatsPeriod({ from, to, interval }: EndpointInput<typeof getStats>['query']): { from: Date; to: Date } {
  const { most, default: days } = STATS_PERIOD_DAYS[interval];
  const end = to === undefined ? new Date() : new Date(to);
  const start = from === undefined ? new Date(end.getTime() - days * DAY_MS) : new Date(from);
  const lengthMs = end.getTime() - start.getTime();
  if (lengthMs <= 0) throw invalidAt('from', 'order:before', { other: '`to`' });
  if (lengthMs <= most * DAY_MS) return { from: start, to: end };
  throw invalidAt('from', 'period:days', { max: most });
}

type Query = EndpointInput<typeof getAssistantResults>['query'];
type ResultsQuery = Omit<Query, 'field'> & Partial<Pick<Query, 'field'>>;

async function readResults(
  workspaceId: string,
  assistantId: string,
  { version, field = [], group_by, values, ...query }: ResultsQuery,
): Promise<ResultsReport> {
  const { from, to } = readPeriod(query, query.timezone);
  const timezone = await findTimezone(query.timezone);
  const { id } = await findAssistant(workspaceId, assistantId);
  const known = await AssistantFieldModel.findKnown(workspaceId, id);
  const metadata_keys = await findMetadataKeys(workspaceId, group_by);
  const filters = toFieldFilters(known, field);
  const found = await findFieldResults(
    known.slice(0, MAX_FIELDS),
    { assistantId: id, from, to, timezone, version, filters, group_by, values },
    MAX_ANSWERS,
  );
  if (found) return { from, to, metadata_keys: metadata_keys.slice(0, MAX_LISTED_KEYS), ...found };
  throw invalidAt('from', 'period', { max: MAX_ANSWERS, unit: 'values' });
}
