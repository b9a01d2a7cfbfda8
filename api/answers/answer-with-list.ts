import { eachPage } from '../../db/page.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { ListReply } from '../http/handle.ts';

/** Rows of a list of all that are held at once: with the longest prompts some megabytes. */
const PAGE = 25;

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
  const pages = eachPage(find, { limit: PAGE, cursor });
  // An outage that is there from the start is an answer of its own, and no broken list.
  const first = await pages.next();
  return new ListReply(presented(first.value ?? [], pages, present));
}

async function* presented<R, T>(first: readonly R[], rest: AsyncIterable<readonly R[]>, present: (row: R) => T) {
  yield first.map(present);
  for await (const rows of rest) yield rows.map(present);
}
