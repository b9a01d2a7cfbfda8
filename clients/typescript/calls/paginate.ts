/** Iterates over the items of a list. */

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/**
 * Yields every item of a list, and requests the pages one after the other.
 * @param list such as `listSessions`.
 */
export async function* paginate<Item, Options extends { query?: object }>(
  list: (options: Options) => Promise<{ data: Page<Item> }>,
  options: NoInfer<Options>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...options.query, ...(cursor !== undefined && { cursor }) };
    const { data } = await list({ ...options, query });
    yield* data.data;
    cursor = data.next_cursor;
  }
}
