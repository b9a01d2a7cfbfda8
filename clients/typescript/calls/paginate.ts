/** Iterates over the items of a list. */

interface Page {
  data: unknown[];
  next_cursor: string | null;
}

// eslint-disable-next-line typescript/no-explicit-any -- The functions take different options.
type List = (options?: any) => Promise<unknown>;
type Options<L extends List> = NonNullable<Parameters<L>[0]>;

/** The type of the items in the pages that an operation returns. */
type Item<Result> = Result extends { data: { data: (infer Each)[]; next_cursor: string | null } } ? Each : never;

/**
 * Yields every item of a list, and requests the pages one after the other.
 * @param list such as `listSessions`.
 */
export async function* paginate<L extends List>(
  list: L,
  options: Options<L>,
): AsyncGenerator<Item<Awaited<ReturnType<L>>>, void, undefined> {
  const { query, ...others } = options as { query?: object };
  const read = list as unknown as (given: object) => Promise<{ data: Page }>;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const given = { ...query, ...(cursor !== undefined && { cursor }) };
    const { data } = await read({ ...others, query: given, throwOnError: true });
    yield* data.data as Item<Awaited<ReturnType<L>>>[];
    // A list in ascending order has a cursor on its last page too.
    cursor = data.data.length === 0 ? null : data.next_cursor;
  }
}
