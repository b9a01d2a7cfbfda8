import type { Page, PageRequest } from '../../db/page.ts';
import { ListReply } from '../http/handle.ts';
import { readInTurn } from '../http/list-turns.ts';

/** Rows that are read at once; each further read takes as many as `READ_BYTES` allow, by those before it. */
const FIRST_READ = 10;
const MAX_READ = 200;

/** Larger reads would hold the process too long at a time, and others would wait. */
const READ_BYTES = 256 * 1024;

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
  { limit = Infinity, cursor: first }: ListQuery,
  { userId, find }: Pick<OwnList<R, unknown>, 'userId' | 'find'>,
): AsyncGenerator<Page<R>, undefined> {
  const read = async (page: PageRequest) => {
    const { rows, next_cursor } = await find(page);
    return { rows, next_cursor, bytes: bytesOf(rows) };
  };
  let part = await read({ limit: Math.min(limit, FIRST_READ), cursor: first });
  for (let left = limit - part.rows.length; ; left -= part.rows.length) {
    yield part;
    const { rows, next_cursor: cursor, bytes } = part;
    if (cursor === null || left <= 0) return undefined;
    const fitting = Math.max(1, Math.floor((READ_BYTES * rows.length) / bytes));
    part = await readInTurn(userId, () => read({ limit: Math.min(left, MAX_READ, fitting), cursor }));
  }
}

/** Returns about how many bytes the value has: what can be long is text. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOf(each), 0);
}

async function* presented<R, T>(first: Page<R>, rest: AsyncIterable<Page<R>>, present: (row: R) => T) {
  const presentPage = ({ rows, next_cursor }: Page<R>) => ({ data: rows.map(present), next_cursor });
  yield presentPage(first);
  for await (const page of rest) yield presentPage(page);
}
