/** Compares two values of a field: a model's with a person's, or those of two models. */
import type { FieldType } from '../values/constants.ts';
import { FIELD_TYPE_FACTS } from './field-types.ts';
import { foldWithSigns } from './fold.ts';
import type { FieldValue } from './result-fields.ts';

/**
 * Returns whether two values give the same answer. Texts are compared without case, punctuation and apostrophes, but with
 * signs and emoji; options exactly, because both are declared spellings; lists as sets; numbers of type `number` within a millionth. An empty list is no value.
 */
export function areEqualValues(type: FieldType, left: FieldValue | null, right: FieldValue | null): boolean {
  const [a, b] = [orNull(left), orNull(right)];
  if (a === null || b === null) return a === b;
  if (FIELD_TYPE_FACTS[type].isExact) return a === b;
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) / 1_000_000;
  if (typeof a === 'string' && typeof b === 'string') return foldWithSigns(a) === foldWithSigns(b);
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  const [items, others] = [new Set(a.map(foldWithSigns)), new Set(b.map(foldWithSigns))];
  return items.size === others.size && [...items].every((item) => others.has(item));
}

const orNull = (value: FieldValue | null) => (Array.isArray(value) && value.length === 0 ? null : value);
