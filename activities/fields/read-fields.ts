/** Reads values and quotes from a model's answer. */
import type { FieldEncoding } from '../../contract/values/constants.ts';
import type { FieldProblem, FieldValue, ResultField } from '../../contract/fields/result-fields.ts';
import type { ClaimedQuote } from './check-evidence.ts';
import { checkValue } from '../../contract/fields/check-value.ts';

export interface FieldsRead {
  /** The value of every field; null if the conversation does not state it, or the answer is invalid. */
  values: Record<string, FieldValue | null>;
  problems: Record<string, FieldProblem>;
  quotes: ClaimedQuote[];
}

/** Returns the fields of an answer, which may be anything. Values that don't match the schema become problems. */
export function readFields(
  fields: readonly ResultField[],
  encoding: FieldEncoding,
  answer: Readonly<Record<string, unknown>>,
): FieldsRead {
  const answered = encoding === 'rows' ? readRows(answer['fields']) : ownEntries(answer['fields']);
  const checked = fields.map((field) => [field.name, checkValue(field, answered.get(field.name))] as const);
  return {
    values: Object.fromEntries(checked.map(([name, each]) => [name, 'value' in each ? each.value : null])),
    problems: Object.fromEntries(checked.flatMap(([name, each]) => ('problem' in each ? [[name, each.problem]] : []))),
    quotes: readQuotes(answer['evidence']),
  };
}

/** Returns the first answer with its invalid fields replaced from the second one. */
export function mergeCorrection(first: FieldsRead, second: FieldsRead): FieldsRead {
  const asked = new Set(Object.keys(first.problems));
  const ofAsked = (entries: object) => Object.fromEntries(Object.entries(entries).filter(([name]) => asked.has(name)));
  return {
    values: { ...first.values, ...(ofAsked(second.values) as FieldsRead['values']) },
    problems: ofAsked(second.problems),
    quotes: [
      ...first.quotes.filter(({ field }) => !asked.has(field)),
      ...second.quotes.filter(({ field }) => asked.has(field)),
    ],
  };
}

/** Returns a map, because a field may be named `constructor`. */
function ownEntries(value: unknown): Map<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return new Map(isObject ? Object.entries(value) : []);
}

/** Returns the values of each field's rows. */
function readRows(rows: unknown): Map<string, unknown> {
  const values = new Map<string, unknown[]>();
  for (const row of Array.isArray(rows) ? (rows as unknown[]) : []) {
    const entries = ownEntries(row);
    const [name, value] = [entries.get('name'), entries.get('value')];
    if (typeof name !== 'string') continue;
    const known = values.get(name) ?? [];
    known.push(value);
    values.set(name, known);
  }
  return values;
}

function readQuotes(evidence: unknown): ClaimedQuote[] {
  const claims = Array.isArray(evidence) ? (evidence as unknown[]) : [];
  return claims.flatMap((claim) => {
    const entries = ownEntries(claim);
    const [field, turn, quote] = [entries.get('field'), entries.get('turn'), entries.get('quote')];
    if (typeof field !== 'string' || typeof quote !== 'string') return [];
    return [{ field, quote, turn: typeof turn === 'number' ? turn : 0 }];
  });
}
