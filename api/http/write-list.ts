import type { z } from 'zod';

/** The form of a list's answer: `listOf` of the contract. */
type ListSchema = z.ZodObject<{ data: z.ZodArray; next_cursor: z.ZodType }>;

/** Yields the JSON of a list that nothing follows, a page at a time. Each item passes the schema, as in other answers. */
export async function* writeList(pages: AsyncIterable<readonly unknown[]>, schema: ListSchema): AsyncGenerator<string> {
  const item = schema.shape.data.element as z.ZodType;
  let before = '{"data":[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map((each) => JSON.stringify(item.parse(each))).join(',');
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"next_cursor":null}`;
}
