/** The filter of a batch: the list's own, as the API's JSON has it, and in words. */
import type { BatchFilter } from '../../../clients/typescript/src/index.ts';
import { sayCondition } from '../fields/conditions.ts';
import { parsePairs } from '../pages/lists/metadata-pairs.ts';
import { toMoments } from '../pages/lists/range.ts';
import type { SessionsSearch } from '../pages/sessions/search.ts';
import { texts } from '../texts/index.ts';

/** Returns the filter that the list of sessions has. A named range ends now: what is counted is what is done. */
export function toBatchFilter(search: SessionsSearch): BatchFilter {
  const { range, created_after, created_before, metadata, min_cost, simulated, trial, ...exact } = search;
  const moments = toMoments({ range, created_after, created_before });
  const filter = {
    ...exact,
    ...moments,
    ...(metadata !== undefined && { metadata: Object.fromEntries(parsePairs(metadata)) }),
    ...(min_cost !== undefined && { min_cost: Number(min_cost) }),
    ...(simulated !== undefined && { simulated: simulated === 'true' }),
    ...(trial !== undefined && { trial: trial === 'true' }),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/**
 * Says a filter as terms and values.
 * @param nameOf returns the name of an assistant; undefined where it is not known.
 */
export function sayFilter(
  filter: Record<string, unknown>,
  nameOf: (assistantId: string) => string | undefined,
): [term: string, value: string][] {
  return Object.entries(filter).map(([name, value]) => {
    const term = texts.batches.filters[name as keyof typeof texts.batches.filters] ?? name;
    if (name === 'assistant_id') return [term, nameOf(String(value)) ?? String(value)];
    if (name === 'field')
      return [
        term,
        [value]
          .flat()
          .map((each) => sayCondition(String(each)))
          .join(', '),
      ];
    if (typeof value !== 'object' || value === null) return [term, String(value)];
    return [
      term,
      Object.entries(value)
        .map(([key, each]) => `${key}=${String(each)}`)
        .join(', '),
    ];
  });
}
