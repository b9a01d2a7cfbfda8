import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, PageRequest } from '../../db/page.ts';
import { ListReply } from '../http/handle.ts';

/** Rows that are read first; each further read takes as many as `READ_BYTES` allow, by those before it. */
const FIRST_READ = 10;
const MAX_READ = 200;

/** Larger reads would hold the process too long at a time, and others would wait. */
const READ_BYTES = 256 * 1024;

/** Bytes in a millisecond, so that a list of very much leaves the processor to others too. */
const PACE = 6 * 1024;

type Find<R> = (page: PageRequest) => Promise<Page<R>>;

interface ListQuery {
  /** Undefined: all. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * Returns the page that a client asks for, whose rows are read from the database as fast as the client takes them: one
 * of 200 rows may be as large as a list of all.
 */
export async function answerWithList<R, T>(
  find: Find<R>,
  present: (row: R) => T,
  query: ListQuery,
): Promise<ListReply<T>> {
  const reads = readAll(find, query);
  // An outage that is there from the start is an answer of its own, and no broken list.
  const first = await reads.next();
  return new ListReply(presented(first.value ?? { rows: [], next_cursor: null }, reads, present));
}

async function* readAll<R>(find: Find<R>, { limit = Infinity, cursor }: ListQuery): AsyncGenerator<Page<R>, undefined> {
  let next: PageRequest = { limit: Math.min(limit, FIRST_READ), cursor };
  for (let left = limit; ;) {
    const page = await find(next);
    yield page;
    left -= page.rows.length;
    if (page.next_cursor === null || left <= 0) return undefined;
    next = { limit: Math.min(left, await keepPace(page.rows)), cursor: page.next_cursor };
  }
}

async function* presented<R, T>(first: Page<R>, rest: AsyncIterable<Page<R>>, present: (row: R) => T) {
  const presentPage = ({ rows, next_cursor }: Page<R>) => ({ data: rows.map(present), next_cursor });
  yield presentPage(first);
  for await (const page of rest) yield presentPage(page);
}

/** Waits as long as these rows take at the pace, and returns how many rows of their size may be read next. */
async function keepPace(rows: readonly unknown[]): Promise<number> {
  const bytes = 1 + bytesOf(rows);
  await sleep(bytes / PACE);
  return Math.min(MAX_READ, Math.max(1, Math.floor((READ_BYTES * rows.length) / bytes)));
}

/** Returns about how many bytes the value has: what can be long is text. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOf(each), 0);
}
