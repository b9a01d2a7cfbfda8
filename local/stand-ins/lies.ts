/**
 * Reads directives that simulate wrong answers: `[value score=99]`, `[field score=null]`, `[field score missing]`,
 * `[quote invented]`, `[quote turn+3]` and `[schema refuse]` in the conversation or the instructions. With ` once` before the
 * closing bracket, the correction request gets a correct answer.
 */

export interface Lies {
  /** Values to return for these fields; null for "not mentioned". */
  values: ReadonlyMap<string, string | number | boolean | null>;
  /** Fields to omit. */
  missing: ReadonlySet<string>;
  inventsQuotes: boolean;
  /** Offset of the turn numbers of quotes. */
  turnOffset: number;
  refusesSchema: boolean;
}

const PATTERN = /\[(value|field|quote|schema) ([^\]]+?)( once)?\]/g;

/** @param isSecond whether this is the correction request. */
export function readLies(text: string, isSecond: boolean): Lies {
  const lies = [...text.matchAll(PATTERN)]
    .filter(([, , , once]) => !(isSecond && once))
    .map(([, kind = '', what = '']) => ({ kind, what }));
  const assignments = lies
    .filter(({ kind, what }) => (kind === 'value' || kind === 'field') && what.includes('='))
    .map(({ what }) => what.split('=', 2) as [string, string]);
  const has = (kind: string, what: string) => lies.some((each) => each.kind === kind && each.what === what);
  return {
    values: new Map(assignments.map(([name, value]) => [name, parse(value)])),
    missing: new Set(lies.flatMap(({ what }) => /^(\w+) missing$/.exec(what)?.[1] ?? [])),
    inventsQuotes: has('quote', 'invented'),
    turnOffset: Number(lies.flatMap(({ what }) => /^turn([+-]\d+)$/.exec(what)?.[1] ?? [])[0] ?? 0),
    refusesSchema: has('schema', 'refuse'),
  };
}

function parse(value: string): string | number | boolean | null {
  if (value === 'null') return null;
  if (value === 'true' || value === 'false') return value === 'true';
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Returns an invented quote. */
export const invent = (field: string) =>
  `quite clearly and beyond any doubt the ${field} was mentioned by somebody else`;
