import { Readable } from 'node:stream';
import { fieldValueOf } from '../../contract/fields/field-value.ts';
import {
  BYTE_ORDER_MARK,
  toCsvCell,
  toCsvLine,
  toFieldHeader,
  type CsvCell,
  type CsvDelimiter,
} from '../../contract/values/csv-line.ts';
import type { ExportFormat, IncludedMember } from '../../contract/sessions/session-filter.ts';
import type { ValueSource } from '../../contract/values/session-lists.ts';
import type { SessionListItem } from '../../contract/sessions/sessions.ts';
import { AssistantFieldModel, type KnownField } from '../../db/models/assistant-field.ts';
import { SessionModel } from '../../db/models/session.ts';
import { eachPage, type PageRequest } from '../../db/page.ts';
import { addSessionDetails } from '../../db/queries/session-details.ts';
import {
  eachIncluded,
  findSessionPage,
  selectSessions,
  type ListedFilter,
  type SessionPageRequest,
} from '../../db/queries/list-sessions.ts';
import { groupSessions } from '../../db/queries/group-sessions.ts';
import type { ApiDeps } from '../deps.ts';
import { Reply, type BytesReply } from '../reply.ts';
import { downloadHeaders, sessionFiles, toArchive, toJsonLine } from './archive.ts';
import { presentSessionListItem } from '../runs/present.ts';

/** Sessions in memory at once, without their large members. */
const PAGE = 200;

/** Columns of the metadata. The column `metadata` has all keys. */
const MAX_METADATA_KEYS = 100;

/** Exports that run at once, of one person in the console or the programs of one owner's workspaces. */
const AT_ONCE = 2;

interface ExportOptions extends Pick<SessionPageRequest, 'sort' | 'cursor'> {
  format: ExportFormat;
  isHead: boolean;
  /** Whose limit the export counts for. */
  key: string;
  include: readonly IncludedMember[];
  /** Of times for spreadsheets; undefined: ISO 8601. */
  timezone: string | undefined;
  delimiter: CsvDelimiter;
  signal: AbortSignal;
}

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl',
  zip: 'application/zip',
};

/** Returns the sessions as a file. Rows are read from the database as fast as the client receives them. */
export async function exportSessions(
  deps: Pick<ApiDeps, 'audio' | 'config' | 'exports'>,
  workspaceId: string,
  filter: ListedFilter,
  { format, isHead, key, include, timezone, delimiter, signal, ...order }: ExportOptions,
): Promise<BytesReply> {
  const headers = downloadHeaders(MEDIA_TYPES[format], 'sessions', format);
  if (isHead) return new Reply(undefined, { headers });
  const start = (create: () => Readable) => new Reply(deps.exports.start(key, AT_ONCE, create), { headers });
  if (format === 'zip') {
    const select = () => selectSessions(SessionModel.query(), workspaceId, filter);
    return start(() => toArchive(sessionFiles(deps, select, { signal })));
  }
  const pages = readPages(workspaceId, filter, order);
  // A database outage at this point is a 503 instead of a broken file.
  const first = await pages.next();
  const { assistant_id } = filter;
  const [withFields, withReview] = [include.includes('fields'), include.includes('review')];
  const hasFields = assistant_id !== undefined && (withFields || withReview);
  const known = hasFields ? await AssistantFieldModel.findKnown(workspaceId, assistant_id) : [];
  const columns = [...(withFields ? fieldColumns('fields', known) : []), ...(withReview ? reviewColumns(known) : [])];
  const keys = format === 'csv' ? await groupSessions(workspaceId, filter, 'metadata', MAX_METADATA_KEYS) : [];
  const all = [
    ...columns,
    ...keys
      .flatMap(({ value }) => value ?? [])
      .sort()
      .map((name): Column => [`metadata.${name}`, ({ metadata }) => metadata[name] ?? null]),
  ];
  const lines = format === 'csv' ? csvOf(all, { timezone, delimiter }) : JSON_LINES;
  return start(() => Readable.from(toText(first.value ?? [], pages, { ...lines, include, values: filter.values })));
}

async function* readPages(
  workspaceId: string,
  filter: ListedFilter,
  { sort, cursor }: Pick<ExportOptions, 'sort' | 'cursor'>,
): AsyncGenerator<Line[], undefined> {
  const find = (page: PageRequest) => findSessionPage(workspaceId, filter, { ...page, sort });
  for await (const rows of eachPage(find, { limit: PAGE, cursor })) {
    const cursors = new Map(rows.map(({ id, sorted_by }) => [id, `${sorted_by},${id}`]));
    const items = (await addSessionDetails(rows)).map(presentSessionListItem);
    yield sort ? items.map((item) => ({ ...item, cursor: cursors.get(item.session_id) })) : items;
  }
}

/** A session, and in a list that can be continued its place. */
type Line = SessionListItem & { cursor?: string | undefined };

const JSON_LINES = { header: '', row: (item: SessionListItem) => toJsonLine(item) };

type Lines = typeof JSON_LINES & { include: readonly IncludedMember[]; values: ValueSource | undefined };

/** Yields a page at a time; with included members, a session at a time. */
async function* toText(first: SessionListItem[], rest: AsyncIterable<SessionListItem[]>, lines: Lines) {
  yield lines.header;
  yield* toLines(first, lines);
  for await (const items of rest) yield* toLines(items, lines);
}

async function* toLines(items: SessionListItem[], { row, include, values }: Lines) {
  if (include.length === 0) {
    yield items.map(row).join('');
    return;
  }
  const included = eachIncluded(
    items.map(({ session_id }) => session_id),
    include,
    values,
  );
  for (const item of items) yield row({ ...item, ...(await included.next()).value });
}

type Column = [name: string, read: (session: SessionListItem) => CsvCell];

const COLUMNS: Record<string, Column[1]> = {
  session_id: (session) => session.session_id,
  created_at: (session) => session.created_at,
  occurred_at: (session) => session.occurred_at,
  completed_at: (session) => session.completed_at,
  status: (session) => session.status,
  type: (session) => session.type,
  assistant_id: (session) => session.assistant_id,
  assistant_name: (session) => session.assistant.name,
  llm_model: (session) => session.assistant.llm_model,
  language: (session) => session.language,
  audio_duration_s: (session) => session.audio_duration_s,
  turn_count: (session) => session.turn_count,
  total_cost: (session) => session.total_cost,
  cost_known: (session) => session.cost_known,
  summary_text: (session) => session.summary_text,
  error_code: (session) => session.error?.code ?? null,
  error_message: (session) => session.error?.message ?? null,
  delivery_status: (session) => session.delivery?.status ?? null,
  source_session_id: (session) => session.source_session_id,
  simulated: (session) => session.simulated,
  metadata: (session) => JSON.stringify(session.metadata),
};

const TIMES = ['created_at', 'occurred_at', 'completed_at', 'reviewed_at'];

/** @param more columns behind those that every export has. */
function csvOf(more: readonly Column[], { timezone, delimiter }: Pick<ExportOptions, 'timezone' | 'delimiter'>) {
  const columns = [...Object.entries(COLUMNS), ...more];
  const time = timezone && timesIn(timezone);
  const cell = ([name, read]: Column, session: SessionListItem) => {
    const value = read(session);
    return time && TIMES.includes(name) && value !== null ? time(Date.parse(String(value))) : value;
  };
  const row = (session: SessionListItem) =>
    toCsvLine(
      columns.map((each) => cell(each, session)),
      delimiter,
    );
  return {
    header:
      BYTE_ORDER_MARK +
      toCsvLine(
        columns.map(([name]) => name),
        delimiter,
      ),
    row,
  };
}

const HOUR_MS = 3_600_000;

/** Returns a function that writes `2026-11-28 03:28:35`, and in the hour that comes twice with the offset: `… GMT+01:00`. */
function timesIn(timeZone: string): (ms: number) => string {
  // The format of Sweden.
  const { format } = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (ms) => {
    const time = format(ms);
    if (time !== format(ms - HOUR_MS) && time !== format(ms + HOUR_MS)) return time;
    return `${time} ${offset.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value}`;
  };
}

const fieldColumns = (member: 'fields' | 'reviewed_fields', fields: readonly KnownField[]): Column[] =>
  fields.map((field) => [
    toFieldHeader(member === 'fields' ? member : 'reviewed', field),
    ({ [member]: values }) => toCsvCell(fieldValueOf(values ?? {}, field.name)),
  ]);

const namesWithout = (answers: NonNullable<SessionListItem['reviewed_fields']>): string[] =>
  Object.keys(answers).filter((name) => answers[name] === null);

const reviewColumns = (fields: readonly KnownField[]): Column[] => [
  ...fieldColumns('reviewed_fields', fields),
  ['reviewed_at', ({ review }) => review?.reviewed_at ?? null],
  ['corrected', ({ review }) => review?.corrected.join(', ') ?? null],
  ['unsure', ({ review }) => review?.unsure.join(', ') ?? null],
  // In the columns of the answers, both what the conversation does not say and what nobody answered are empty.
  ['not_said', ({ reviewed_fields: answers }) => namesWithout(answers ?? {}).join(', ') || null],
  ['reviewed_by', ({ review }) => review?.reviewed_by ?? null],
  ['sampled', ({ review }) => review?.sampled ?? null],
  ['reviewed_summary', ({ review_details: details }) => details?.summary_text ?? null],
  ['review_note', ({ review_details: details }) => details?.note ?? null],
  [
    'turn_notes',
    ({ review_details: details }) => (details?.turn_notes.length ? JSON.stringify(details.turn_notes) : null),
  ],
];
