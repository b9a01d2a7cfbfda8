/** Reads values and quotations from a model's answer. */
import type { FieldEncoding } from '../../contract/constants.ts';
import type { FieldProblem, FieldValue, ResultField } from '../../contract/result-fields.ts';
import type { ClaimedQuote } from './check-evidence.ts';
import { checkValue } from './check-value.ts';

export interface FieldsRead {
  /** The value of every field; null where the conversation does not say it, or the answer did not fit. */
  values: Record<string, FieldValue | null>;
  problems: Record<string, FieldProblem>;
  quotes: ClaimedQuote[];
}

/** Returns what an answer says of the fields. It may be anything: what is not as the schema says is a problem or nothing. */
export function readFields(
  fields: readonly ResultField[],
  encoding: FieldEncoding,
  answer: Readonly<Record<string, unknown>>,
): FieldsRead {
  const answered = encoding === 'rows' ? readRows(fields, answer['fields']) : ownEntries(answer['fields']);
  const checked = fields.map((field) => [field.name, checkValue(field, answered.get(field.name))] as const);
  return {
    values: Object.fromEntries(checked.map(([name, each]) => [name, 'value' in each ? each.value : null])),
    problems: Object.fromEntries(checked.flatMap(([name, each]) => ('problem' in each ? [[name, each.problem]] : []))),
    quotes: readQuotes(answer['evidence']),
  };
}

/** Returns the first answer with what the second one put right; nothing else is taken from it. */
export function mend(first: FieldsRead, second: FieldsRead): FieldsRead {
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

/** A map, because a field may be called `constructor`. */
function ownEntries(value: unknown): Map<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return new Map(isObject ? Object.entries(value) : []);
}

/** Returns the texts of each field's rows, as the values of its type where they can be read as such. */
function readRows(fields: readonly ResultField[], rows: unknown): Map<string, unknown> {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  const values = new Map<string, unknown[]>();
  for (const row of Array.isArray(rows) ? (rows as unknown[]) : []) {
    const entries = ownEntries(row);
    const [name, value] = [entries.get('name'), entries.get('value')];
    if (typeof name !== 'string') continue;
    const known = values.get(name) ?? [];
    values.set(name, [...known, typeof value === 'string' ? parseText(types.get(name), value) : value]);
  }
  return values;
}

function parseText(type: ResultField['type'] | undefined, text: string): unknown {
  const trimmed = text.trim();
  if (type === 'boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  if ((type === 'integer' || type === 'number') && trimmed !== '' && Number.isFinite(Number(trimmed))) {
    return Number(trimmed);
  }
  return text;
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
