/** Checks whether a quote contains the value of its field. */
import { FIELD_TYPE_FACTS } from '../../contract/fields/field-types.ts';
import type { FieldValue, ResultField } from '../../contract/fields/result-fields.ts';
import { foldWithSigns, normalize } from '../../contract/fields/fold.ts';
import type { Steps } from './in-slices.ts';

/** Returns null if the texts can't be compared: booleans, options, and numbers in words. */
export function* isValueInQuote(
  { type }: Pick<ResultField, 'type'>,
  value: FieldValue,
  quotes: readonly string[],
): Steps<boolean | null> {
  if (quotes.length === 0 || !FIELD_TYPE_FACTS[type].isQuoted) return null;
  if (typeof value === 'number') return isNumberIn(value, quotes);
  const folded: string[] = [];
  for (const quote of quotes) {
    yield;
    folded.push(` ${foldWithSigns(quote)} `);
  }
  for (const text of [value].flat()) {
    yield;
    if (!folded.some((quote) => quote.includes(` ${foldWithSigns(String(text))} `))) return false;
  }
  return true;
}

/** Digits with separators, such as 184 500, 1.250,75 and 1'000. */
const NUMBER = /\d+(?:[\s.,'’_]\d+)*/g;

function isNumberIn(value: number, quotes: readonly string[]): boolean | null {
  const numbers = quotes.flatMap((quote) => normalize(quote).match(NUMBER) ?? []);
  if (numbers.length === 0) return null;
  return numbers.some((number) => readingsOf(number).includes(Math.abs(value)));
}

/** Returns the possible values: separators of groups, a decimal separator at the end, or separate numbers. */
function readingsOf(number: string): number[] {
  const groups = number.split(/\D/);
  const withDecimals = groups.length > 1 ? [`${groups.slice(0, -1).join('')}.${groups.at(-1)}`] : [];
  return [groups.join(''), ...withDecimals, ...groups].map(Number);
}
