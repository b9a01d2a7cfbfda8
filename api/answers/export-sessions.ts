import { Readable } from 'node:stream';
import type { ExportFormat } from '../../contract/session-export.ts';
import type { SessionListItem } from '../../contract/sessions.ts';
import { eachPage } from '../../db/page.ts';
import { addSessionDetails } from '../../db/queries/session-details.ts';
import { findSessionPage } from '../../db/queries/list-sessions.ts';
import type { ListedFilter } from '../../db/queries/list-sessions.ts';
import { BytesReply } from '../http/handle.ts';
import { presentSessionListItem } from '../presenters/session.ts';
import { csvHeader, csvRow } from '../presenters/session-csv.ts';

/** Sessions that are held at once, however many there are. */
const PAGE = 200;

const MEDIA_TYPES: Record<ExportFormat, string> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' };

/** Returns the sessions as a file, which is read from the database as fast as the client takes it. */
export async function exportSessions(
  userId: string,
  filter: ListedFilter,
  { format, isHead }: { format: ExportFormat; isHead: boolean },
): Promise<BytesReply> {
  const day = new Date().toISOString().slice(0, 10);
  const headers = {
    'Content-Type': MEDIA_TYPES[format],
    'Content-Disposition': `attachment; filename="sessions-${day}.${format}"`,
  };
  if (isHead) return new BytesReply(undefined, { status: 200, headers });
  const pages = readPages(userId, filter);
  // An outage that is there from the start is an answer of its own, and no broken file.
  const first = await pages.next();
  return new BytesReply(Readable.from(toText(first.value ?? [], pages, format)), { status: 200, headers });
}

async function* readPages(userId: string, filter: ListedFilter): AsyncGenerator<SessionListItem[], undefined> {
  for await (const rows of eachPage((page) => findSessionPage(userId, filter, page), { limit: PAGE })) {
    yield (await addSessionDetails(rows)).map(presentSessionListItem);
  }
}

async function* toText(first: SessionListItem[], rest: AsyncIterable<SessionListItem[]>, format: ExportFormat) {
  const toLine = format === 'csv' ? csvRow : (item: SessionListItem) => `${JSON.stringify(item)}\n`;
  if (format === 'csv') yield csvHeader();
  yield first.map(toLine).join('');
  for await (const items of rest) yield items.map(toLine).join('');
}
