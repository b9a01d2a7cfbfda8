import { Readable } from 'node:stream';
import type { ExportFormat } from '../../contract/session-export.ts';
import type { SessionListItem } from '../../contract/sessions.ts';
import { AssistantFieldModel } from '../../db/models/assistant-field.ts';
import { eachPage } from '../../db/page.ts';
import type { PageRequest } from '../../db/page.ts';
import { addSessionDetails } from '../../db/queries/session-details.ts';
import { findSessionPage } from '../../db/queries/list-sessions.ts';
import type { ListedFilter } from '../../db/queries/list-sessions.ts';
import { BytesReply } from '../http/handle.ts';
import { presentSessionListItem } from '../presenters/session.ts';
import { csvOf } from '../presenters/session-csv.ts';

/** Sessions that are held at once, however many there are. */
const PAGE = 200;

const MEDIA_TYPES: Record<ExportFormat, string> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' };

/** Returns the sessions as a file, which is read from the database as fast as the client takes it. */
export async function exportSessions(
  userId: string,
  filter: ListedFilter,
  { format, isHead, withFields }: { format: ExportFormat; isHead: boolean; withFields: boolean },
): Promise<BytesReply> {
  const day = new Date().toISOString().slice(0, 10);
  const headers = {
    'Content-Type': MEDIA_TYPES[format],
    'Content-Disposition': `attachment; filename="sessions-${day}.${format}"`,
  };
  if (isHead) return new BytesReply(undefined, { status: 200, headers });
  const pages = readPages(userId, filter, withFields);
  // An outage that is there from the start is an answer of its own, and no broken file.
  const first = await pages.next();
  const { assistant_id } = filter;
  const known =
    withFields && assistant_id !== undefined ? await AssistantFieldModel.findKnown(userId, assistant_id) : [];
  const lines = format === 'csv' ? csvOf(known.map(({ name }) => name)) : JSON_LINES;
  return new BytesReply(Readable.from(toText(first.value ?? [], pages, lines)), { status: 200, headers });
}

async function* readPages(
  userId: string,
  filter: ListedFilter,
  withFields: boolean,
): AsyncGenerator<SessionListItem[], undefined> {
  const find = (page: PageRequest) => findSessionPage(userId, filter, { ...page, withFields });
  for await (const rows of eachPage(find, { limit: PAGE })) {
    yield (await addSessionDetails(rows)).map(presentSessionListItem);
  }
}

const JSON_LINES = { header: '', row: (item: SessionListItem) => `${JSON.stringify(item)}\n` };

async function* toText(first: SessionListItem[], rest: AsyncIterable<SessionListItem[]>, lines: typeof JSON_LINES) {
  yield lines.header + first.map(lines.row).join('');
  for await (const items of rest) yield items.map(lines.row).join('');
}
