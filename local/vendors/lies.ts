/**
 * Lies on demand. A conversation or the instructions may hold `[value score=99]`, `[field score=null]`,
 * `[field score missing]`, `[quote invented]`, `[quote turn+3]` and `[schema refuse]`; with ` once` before the bracket the
 * lie is not told again when the service asks for the same once more.
 */

export interface Lies {
  /** Values that are answered whatever the conversation says; null for "not said". */
  values: ReadonlyMap<string, string | number | boolean | null>;
  /** Fields that the answer leaves out. */
  missing: ReadonlySet<string>;
  inventsQuotes: boolean;
  /** By how much the turns of quotations are wrong. */
  turnOffset: number;
  refusesSchema: boolean;
}

const PATTERN = /\[(value|field|quote|schema) ([^\]]+?)( once)?\]/g;

/** @param isSecond the service asks once more, for what did not fit. */
export function readLies(text: string, isSecond: boolean): Lies {
  const told = [...text.matchAll(PATTERN)]
    .filter(([, , , once]) => !(isSecond && once))
    .map(([, kind = '', what = '']) => ({ kind, what }));
  const assignments = told
    .filter(({ kind, what }) => (kind === 'value' || kind === 'field') && what.includes('='))
    .map(({ what }) => what.split('=', 2) as [string, string]);
  const has = (kind: string, what: string) => told.some((each) => each.kind === kind && each.what === what);
  return {
    values: new Map(assignments.map(([name, value]) => [name, parse(value)])),
    missing: new Set(told.flatMap(({ what }) => /^(\w+) missing$/.exec(what)?.[1] ?? [])),
    inventsQuotes: has('quote', 'invented'),
    turnOffset: Number(told.flatMap(({ what }) => /^turn([+-]\d+)$/.exec(what)?.[1] ?? [])[0] ?? 0),
    refusesSchema: has('schema', 'refuse'),
  };
}

function parse(value: string): string | number | boolean | null {
  if (value === 'null') return null;
  if (value === 'true' || value === 'false') return value === 'true';
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Returns words that nobody said. */
export const invent = (field: string) =>
  `quite clearly and beyond any doubt the ${field} was mentioned by somebody else`;
