/** The filters of the lists: their search parameters, and the API query made from them. */
import {
  ASSISTANT_TYPES,
  BATCH_ACTIONS,
  BATCH_STATUSES,
  DELIVERY_FAILURES,
  DELIVERY_STATUSES,
  SESSION_ERROR_CODES,
  SESSION_STATUSES,
  WEBHOOK_EVENTS,
} from '../../../contract/values/constants.ts';
import { REVIEW_FILTERS, SESSION_SORTS, VALUE_SOURCES } from '../../../contract/values/session-lists.ts';
import { conditionsOf } from '../search/conditions.ts';
import { HOUR_MS, MINUTE_MS, serverNow } from '../format/clock.ts';
import { dayOf } from '../format/times.ts';
import { periodOf, PERIODS } from '../search/named-period.ts';
import { momentsOf } from '../search/period.ts';
import { clean, momentOf, numberOf, oneOf, textOf, textsOf } from '../search/parse.ts';

type Raw = Record<string, unknown>;

/** Hours end now; days and longer periods are those of the calendar. */
export const RANGES = ['1h', '24h', ...PERIODS] as const;
type RangeName = (typeof RANGES)[number];

/** A link can set two times instead of a named range. */
export interface RangeSearch {
  range?: RangeName | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

const rangeOf = (raw: Raw): RangeSearch => ({
  range: oneOf(raw, 'range', RANGES),
  created_after: momentOf(raw, 'created_after'),
  created_before: momentOf(raw, 'created_before'),
});

export const parseSessionsSearch = (raw: Raw) =>
  clean({
    session_id: textsOf(raw, 'session_id'),
    q: textOf(raw, 'q'),
    status: oneOf(raw, 'status', SESSION_STATUSES),
    waiting_for: textOf(raw, 'waiting_for'),
    error_code: oneOf(raw, 'error_code', SESSION_ERROR_CODES),
    type: oneOf(raw, 'type', ASSISTANT_TYPES),
    assistant_id: textOf(raw, 'assistant_id'),
    delivery_status: oneOf(raw, 'delivery_status', DELIVERY_STATUSES),
    source_session_id: textOf(raw, 'source_session_id'),
    batch_id: textOf(raw, 'batch_id'),
    metadata: parsePairs(textOf(raw, 'metadata')).length > 0 ? textOf(raw, 'metadata') : undefined,
    llm_model: textOf(raw, 'llm_model'),
    simulated: oneOf(raw, 'simulated', ['true', 'false']),
    trial: oneOf(raw, 'trial', ['true', 'false']),
    reanalysis: oneOf(raw, 'reanalysis', ['any', 'true']),
    review: oneOf(raw, 'review', REVIEW_FILTERS),
    corrected: textOf(raw, 'corrected'),
    // The text as typed, because the input shows it.
    min_cost: Number(raw['min_cost']) >= 0 ? textOf(raw, 'min_cost') : undefined,
    // Versions and fields have a meaning only for one assistant.
    ...(textOf(raw, 'assistant_id') !== undefined && {
      assistant_version: numberOf(raw, 'assistant_version'),
      field: conditionsOf(raw),
      values: oneOf(raw, 'values', VALUE_SOURCES),
    }),
    ...rangeOf(raw),
    completed_after: momentOf(raw, 'completed_after'),
    completed_before: momentOf(raw, 'completed_before'),
    sort: oneOf(raw, 'sort', SESSION_SORTS),
    columns: textsOf(raw, 'columns'),
  });

export type SessionsSearch = ReturnType<typeof parseSessionsSearch>;

/** The filters of the review page, and its random order. */
export const parseReviewSearch = (raw: Raw) =>
  clean({
    ...parseSessionsSearch(raw),
    reanalysis: oneOf(raw, 'reanalysis', ['any', 'true', 'false']),
    seed: numberOf(raw, 'seed'),
  });

export type ReviewSearch = ReturnType<typeof parseReviewSearch>;

export const parseDeliveriesSearch = (raw: Raw) =>
  clean({
    status: oneOf(raw, 'status', DELIVERY_STATUSES),
    event: oneOf(raw, 'event', WEBHOOK_EVENTS),
    failure: oneOf(raw, 'failure', DELIVERY_FAILURES),
    assistant_id: textOf(raw, 'assistant_id'),
    session_id: textOf(raw, 'session_id'),
    batch_id: textOf(raw, 'batch_id'),
    ...rangeOf(raw),
    columns: textsOf(raw, 'columns'),
  });

/** Search parameters that change only how rows are shown. */
const VIEW_NAMES = ['sort', 'columns'];

export const isFiltered = (search: Raw) =>
  Object.entries(search).some(([name, value]) => value !== undefined && !VIEW_NAMES.includes(name));

/** Returns the search without filters. */
export const withoutFilters = (search: Raw) =>
  clean(Object.fromEntries(VIEW_NAMES.map((name) => [name, search[name]])));

export type DeliveriesSearch = ReturnType<typeof parseDeliveriesSearch>;

/** The filters of a new batch, and its action. */
export const parseNewBatchSearch = (raw: Raw) =>
  clean({
    ...parseSessionsSearch(raw),
    delivery_id: textsOf(raw, 'delivery_id'),
    action: oneOf(raw, 'action', BATCH_ACTIONS),
  });

/** The filters of the list of experiments and other batches. */
export const parseExperimentsSearch = (raw: Raw) =>
  clean({
    assistant_id: textOf(raw, 'assistant_id'),
    action: oneOf(raw, 'action', BATCH_ACTIONS),
    status: oneOf(raw, 'status', BATCH_STATUSES),
  });

/** Returns the pairs of `key=value, …`. A comma starts a new pair only before `key=`, since values may contain commas. */
export const parsePairs = (text = ''): [key: string, value: string][] =>
  text.split(/,(?=[^,=]+=)/).flatMap((pair): [string, string][] => {
    const end = pair.indexOf('=');
    return end > 0 ? [[pair.slice(0, end).trim(), pair.slice(end + 1)]] : [];
  });

/** Returns the pairs as `parsePairs` reads them; undefined without any. */
export const printPairs = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map((pair) => pair.join('=')).join(',') || undefined;

/** Returns the times of the range. The start of hours is rounded down to a minute, so the query key changes once per minute. */
export function toMoments({ range, created_after, created_before }: RangeSearch) {
  if (range === undefined) return { created_after, created_before };
  if (range !== '1h' && range !== '24h') return momentsOf(periodOf(range, dayOf(serverNow())));
  const start = Math.floor((serverNow() - Number.parseInt(range) * HOUR_MS) / MINUTE_MS) * MINUTE_MS;
  return { created_after: new Date(start).toISOString(), created_before: undefined };
}

/** Returns the `reanalysis` filter. Reanalyses and trials are hidden unless a filter requests them. */
export function reanalysisOf(search: SessionsSearch) {
  const { reanalysis, trial, session_id, source_session_id, batch_id } = search;
  if (reanalysis !== undefined) return reanalysis === 'any' ? undefined : reanalysis;
  return trial === 'true' || (session_id ?? source_session_id ?? batch_id) !== undefined ? undefined : 'false';
}

/** Returns the query of the list of sessions, whose period is that of the conversations. */
export function toSessionsQuery(search: SessionsSearch): Raw {
  const { created_after, created_before, ...query } = toQuery({ ...search, reanalysis: reanalysisOf(search) });
  return clean({ ...query, occurred_after: created_after, occurred_before: created_before });
}

/** Returns the API query. A named range becomes two times, and each metadata pair becomes a parameter. */
export function toQuery(search: RangeSearch & { metadata?: string | undefined } & Raw): Raw {
  const { range, created_after, created_before, metadata, sort: _, columns: _columns, ...filter } = search;
  const pairs = parsePairs(metadata).map(([key, value]) => [`metadata.${key}`, value]);
  return clean({ ...filter, ...Object.fromEntries(pairs), ...toMoments({ range, created_after, created_before }) });
}
