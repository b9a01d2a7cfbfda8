/** Counts the values of a field: in total, by day, by version, and by value or histogram interval. */
import { isNumber, isYesNo } from '../../contract/fields/field-types.ts';
import { MAX_COUNTED_VALUES, type FieldCounts, type FieldNumbers } from '../../contract/service/results.ts';
import type { Grouped } from './group-by-metadata.ts';
import type { KnownField } from '../models/assistant-field.ts';

/** Runs a statement that follows `with answer as (…)`, the rows of the field. */
export type Ask = <R extends object>(statement: string, bindings?: Record<string, string | number>) => Promise<R[]>;

interface Group extends Grouped {
  level: Level;
  day: string | null;
  version: number | null;
}

/** What `grouping(day, version, others)` returns. */
const LEVELS = { total: 7, day: 3, version: 5, group: 6 } as const;
type Level = (typeof LEVELS)[keyof typeof LEVELS];

interface Totals extends Group {
  count: number;
  value_count: number;
  null_count: number;
  unverified_count: number;
  mean: number | null;
  min: number | null;
  max: number | null;
  quartiles: number[] | null;
}

const TOTALS = `
  select grouping(day, version, others) as level, day, version, "group", others,
    count(*) filter (where item = 0) as count,
    count(value) as value_count,
    count(*) filter (where value is null) as null_count,
    count(*) filter (where item = 0 and state = 1) as unverified_count,
    avg(value_num::float8) as mean, min(value_num)::float8 as min, max(value_num)::float8 as max,
    percentile_cont(array[0.25, 0.5, 0.75]) within group (order by value_num::float8) as quartiles
  from answer group by grouping sets ((), (day), (version), ("group", others)) order by day, version, others, count(*) filter (where item = 0) desc, "group"`;

interface Valued extends Group {
  value: string;
  count: number;
}

const VALUES = `
  , frequent as (
    select value, count(*) as total from answer where value is not null group by value order by total desc, value limit :most
  )
  select grouping(day, version, others) as level, day, version, "group", others, value, count(*)
  from answer join frequent using (value)
  group by grouping sets ((value), (value, day), (value, version), (value, "group", others)) order by count(*) desc, value`;

const HISTOGRAM = `
  select (part * :width::numeric)::float8 as "from", ((part + 1) * :width::numeric)::float8 as "to", count(*)
  from (select floor(value_num / :width::numeric) as part from answer where value_num is not null) parts
  group by part order by part`;

/** @param isGrouped whether the sessions are grouped by their metadata, too. */
export async function countField(
  { name, title, type }: KnownField,
  isGrouped: boolean,
  ask: Ask,
): Promise<FieldCounts> {
  const hasMean = isNumber(type);
  const totals = await ask<Totals>(TOTALS);
  const valued = hasMean ? [] : await ask<Valued>(VALUES, { most: MAX_COUNTED_VALUES });
  const all = totals.find(({ level }) => level === LEVELS.total) ?? NOTHING;
  const byGroup = Map.groupBy(valued, keyOf);
  const values = (byGroup.get(keyOf(all)) ?? []).map(({ value }) => value);
  const countsOf = (group: Totals) => {
    const own = new Map(byGroup.get(keyOf(group))?.map(({ value, count }) => [value, count]));
    const { count, null_count, unverified_count, mean } = group;
    const value_counts = values.map((value) => own.get(value) ?? 0);
    return { count, null_count, unverified_count, mean: hasMean ? mean : null, value_counts };
  };
  const counts = countsOf(all);
  const listed = counts.value_counts.reduce((sum, count) => sum + count, 0);
  return {
    name,
    ...(title !== undefined && { title }),
    type,
    ...counts,
    values: isYesNo(type) ? values.map((value) => value === '1') : values,
    other_count: hasMean ? 0 : all.value_count - listed,
    numbers: hasMean ? await numbersOf(all, type === 'integer', ask) : null,
    by_day: totals.flatMap((row) => (row.level === LEVELS.day ? [{ day: row.day ?? '', ...countsOf(row) }] : [])),
    by_version: totals.flatMap((row) => (row.version === null ? [] : [{ version: row.version, ...countsOf(row) }])),
    ...(isGrouped && {
      by_group: totals
        .filter(({ level }) => level === LEVELS.group)
        .map((row) => ({ group: row.group, others: row.others, ...countsOf(row) })),
    }),
  };
}

const keyOf = ({ level, day, version, group, others }: Group) => JSON.stringify([level, day, version, group, others]);

/** The totals of a field without values. */
const NOTHING: Totals = {
  level: LEVELS.total,
  day: null,
  version: null,
  group: null,
  others: false,
  count: 0,
  value_count: 0,
  null_count: 0,
  unverified_count: 0,
  mean: null,
  min: null,
  max: null,
  quartiles: null,
};

async function numbersOf({ min, max, quartiles }: Totals, isInteger: boolean, ask: Ask): Promise<FieldNumbers | null> {
  if (min === null || max === null || quartiles === null) return null;
  const width = widthOf(min, max, isInteger);
  const histogram = await ask<FieldNumbers['histogram'][number]>(HISTOGRAM, { width });
  return { min, max, quartiles, histogram };
}

/** Approximate number of intervals of a histogram. */
const PARTS = 20;

/** Returns the width of a histogram's intervals in decimal notation: 1, 2 or 5 times a power of ten. */
function widthOf(min: number, max: number, isInteger: boolean): string {
  const least = (max - min) / PARTS || Math.abs(max) / PARTS || 1;
  const exponent = Math.floor(Math.log10(least));
  if (isInteger && exponent < 0) return '1';
  const digit = [1, 2, 5].find((each) => each * 10 ** exponent >= least);
  return digit === undefined ? `1e${exponent + 1}` : `${digit}e${exponent}`;
}
