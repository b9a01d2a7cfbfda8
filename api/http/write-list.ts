import type { z } from 'zod';
import type { ListPart } from './handle.ts';

/** The form of a list's answer: `listOf` of the contract. */
type ListSchema = z.ZodObject<{ data: z.ZodArray; next_cursor: z.ZodType }>;

/** Yields the JSON of a list, part by part. Each item passes the schema, as in other answers. */
export async function* writeList(parts: AsyncIterable<ListPart<unknown>>, schema: ListSchema): AsyncGenerator<string> {
  const item = schema.shape.data.element as z.ZodType;
  let before = '{"data":[';
  let cursor: string | null = null;
  for await (const { data, next_cursor } of parts) {
    cursor = next_cursor;
    if (data.length === 0) continue;
    yield before + data.map((each) => JSON.stringify(item.parse(each))).join(',');
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"next_cursor":${JSON.stringify(cursor)}}`;
}
