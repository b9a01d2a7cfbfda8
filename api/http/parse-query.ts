import type { z } from 'zod';
import { parseOrThrow } from '../errors.ts';

/**
 * Returns what the schema reads in the parameters of a query; throws the error that names each invalid one. Parameters
 * such as `metadata.call_id` are the entries of a field that holds pairs.
 */
export function parseQuery<S extends z.ZodObject>(schema: S, query: Record<string, unknown>): z.output<S> {
  const plain: [string, unknown][] = [];
  const pairs: Record<string, [string, unknown][]> = {};
  for (const [name, value] of Object.entries(query)) {
    const dot = name.indexOf('.');
    const field = name.slice(0, Math.max(dot, 0));
    if (Object.hasOwn(schema.shape, field)) (pairs[field] ??= []).push([name.slice(dot + 1), value]);
    else plain.push([name, value]);
  }
  const nested = Object.entries(pairs).map(([field, entries]) => [field, Object.fromEntries(entries)] as const);
  return parseOrThrow(schema, Object.fromEntries([...plain, ...nested]));
}
