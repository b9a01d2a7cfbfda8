/** Says whether a value stands in the words that it is said to follow from. */
import type { FieldValue, ResultField } from '../../contract/result-fields.ts';
import { fold } from './fold.ts';

/** Returns null where comparing texts says nothing: yes and no, options, and numbers that were said as words. */
export function isValueInQuote(
  { type }: Pick<ResultField, 'type'>,
  value: FieldValue,
  quotes: readonly string[],
): boolean | null {
  if (quotes.length === 0 || type === 'boolean' || type === 'enum') return null;
  if (typeof value === 'number') return isNumberIn(value, quotes);
  const folded = quotes.map((quote) => ` ${fold(quote)} `);
  return [value].flat().every((text) => folded.some((quote) => quote.includes(` ${fold(String(text))} `)));
}

/** Digits with what stands between groups of them, such as 184 500, 1.250,75 and 1'000. */
const NUMBER = /\d+(?:[\s.,'’_]\d+)*/g;

function isNumberIn(value: number, quotes: readonly string[]): boolean | null {
  const numbers = quotes.flatMap((quote) => quote.normalize('NFKC').match(NUMBER) ?? []);
  if (numbers.length === 0) return null;
  return numbers.some((number) => readingsOf(number).includes(Math.abs(value)));
}

/** Returns what a number may mean: its separators part groups, or the last one parts the decimals, or all part numbers. */
function readingsOf(number: string): number[] {
  const groups = number.split(/\D/);
  const withDecimals = groups.length > 1 ? [`${groups.slice(0, -1).join('')}.${groups.at(-1)}`] : [];
  return [groups.join(''), ...withDecimals, ...groups].map(Number);
}
