import { setTimeout as sleep } from 'node:timers/promises';
import { eachPage } from '../../db/page.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { ListReply } from '../http/handle.ts';

/** Rows of the first page of a list of all; each further one has as many as `PAGE_BYTES` allow, by those before it. */
const FIRST_PAGE = 10;
const MAX_PAGE = 200;

/** Larger pages would hold the process too long at a time, and others would wait. */
const PAGE_BYTES = 256 * 1024;

/** Bytes in a millisecond, so that a list of very much leaves the processor to others too. */
const PACE = 10 * 1024;

type Find<R> = (page: PageRequest) => Promise<Page<R>>;

/**
 * Returns the page that a client asks for. Without a limit the list has all rows, which are read from the database as
 * fast as the client takes them.
 */
export async function answerWithList<R, T>(
  find: Find<R>,
  present: (row: R) => T,
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<ListReply<T> | { data: T[]; next_cursor: string | null }> {
  if (limit !== undefined) {
    const { rows, next_cursor } = await find({ limit, cursor });
    return { data: rows.map(present), next_cursor };
  }
  const pages = eachPage(find, { limit: FIRST_PAGE, cursor }, keepPace);
  // An outage that is there from the start is an answer of its own, and no broken list.
  const first = await pages.next();
  return new ListReply(presented(first.value ?? [], pages, present));
}

async function* presented<R, T>(first: readonly R[], rest: AsyncIterable<readonly R[]>, present: (row: R) => T) {
  yield first.map(present);
  for await (const rows of rest) yield rows.map(present);
}

/** Waits as long as a page takes at the pace, and returns how many rows of its size fit in the next one. */
async function keepPace(rows: readonly unknown[]): Promise<number> {
  const bytes = bytesOf(rows);
  await sleep(bytes / PACE);
  return Math.min(MAX_PAGE, Math.max(1, Math.floor((PAGE_BYTES * rows.length) / bytes)));
}

/** Returns about how many bytes the rows have: what can be long is text. */
function bytesOf(rows: readonly unknown[]): number {
  const values = rows.flatMap((row) => Object.values(Object(row) as Record<string, unknown>));
  return values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 1);
}
