import type { Page, PageRequest } from '../../db/page.ts';
import { createFairShares } from '../../runtime/fair-shares.ts';
import { ListReply } from '../http/handle.ts';

/** Rows that are read at once; each further read takes as many as `READ_BYTES` allow, by those before it. */
const FIRST_READ = 10;
const MAX_READ = 200;

/** Larger reads would hold the process too long at a time, and others would wait. */
const READ_BYTES = 256 * 1024;

/** Bytes in a millisecond that one user reads, so that lists of very much leave the processor to others too. */
const PACE = 6 * 1024;

/** The lists of one user are read on in turns, so that many at once are no faster than one. */
const turns = createFairShares({ total: Infinity, perKey: 1 });

interface OwnList<R, T> {
  userId: string;
  find: (page: PageRequest) => Promise<Page<R>>;
  present: (row: R) => T;
}

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
  query: ListQuery,
  { present, ...list }: OwnList<R, T>,
): Promise<ListReply<T>> {
  const reads = readAll(query, list);
  // An outage that is there from the start is an answer of its own, and no broken list.
  const first = await reads.next();
  return new ListReply(presented(first.value ?? { rows: [], next_cursor: null }, reads, present));
}

async function* readAll<R>(
  { limit = Infinity, cursor }: ListQuery,
  { userId, find }: Pick<OwnList<R, unknown>, 'userId' | 'find'>,
): AsyncGenerator<Page<R>, undefined> {
  let page = await find({ limit: Math.min(limit, FIRST_READ), cursor });
  for (let left = limit - page.rows.length; ; left -= page.rows.length) {
    yield page;
    const { rows, next_cursor } = page;
    if (next_cursor === null || left <= 0) return undefined;
    const fitting = Math.max(1, Math.floor((READ_BYTES * rows.length) / bytesOf(rows)));
    page = await readInTurn(userId, () => find({ limit: Math.min(left, MAX_READ, fitting), cursor: next_cursor }));
  }
}

/** Reads a page. The next one of this user waits as long as the bytes of this one take at the pace. */
async function readInTurn<R>(userId: string, read: () => Promise<Page<R>>): Promise<Page<R>> {
  const giveBack = await turns.take(userId, 1);
  const began = performance.now();
  let page: Page<R> | undefined;
  try {
    page = await read();
    return page;
  } finally {
    setTimeout(giveBack, Math.max(0, bytesOf(page?.rows) / PACE - (performance.now() - began))).unref();
  }
}

async function* presented<R, T>(first: Page<R>, rest: AsyncIterable<Page<R>>, present: (row: R) => T) {
  const presentPage = ({ rows, next_cursor }: Page<R>) => ({ data: rows.map(present), next_cursor });
  yield presentPage(first);
  for await (const page of rest) yield presentPage(page);
}

/** Returns about how many bytes the value has: what can be long is text. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOf(each), 0);
}
