/** The keys that answer a question. */
import type { FieldValue, ResultField } from '../../../../contract/values/result-fields.ts';
import type { Answer } from '../../server/review.ts';

/** What a key does: it gives an answer, or opens the control of the type with a first value. */
export type KeyAction = { answer: Answer } | { edit: FieldValue | null };

/** The largest number that one key can enter. */
const MAX_DIGIT = 9;

/**
 * Returns whether the person answers before the model's value is shown, because people accept what they see. Texts and lists
 * are shown at once, because typing them takes too long.
 */
export const isBlind = ({ type }: ResultField) => type !== 'string' && type !== 'string_list';

/** Returns the values that one key can enter, with their keys. */
export function choicesOf({ type, options = [], minimum = -Infinity, maximum = Infinity }: ResultField) {
  if (type === 'boolean') return [true, false].map((value) => ({ key: value ? 'y' : 'n', value }));
  if (type === 'enum')
    return options.map((value, index) => ({ key: index < MAX_DIGIT ? String(index + 1) : '', value }));
  if (type === 'string' || type === 'string_list' || maximum > MAX_DIGIT || minimum < 0) return [];
  const digits = Array.from({ length: MAX_DIGIT }, (_, index) => index + 1);
  return digits.filter((digit) => digit >= minimum && digit <= maximum).map((value) => ({ key: String(value), value }));
}

/** Returns what a key does. @param value the model's value. */
export function actionOf(field: ResultField, key: string, value: FieldValue | null): KeyAction | undefined {
  if (key === '0') return { answer: { value: null } };
  if (key === 'x') return { answer: 'unsure' };
  if (key === 'e') return { edit: isBlind(field) ? null : value };
  const choice = choicesOf(field).find((each) => each.key === key);
  if (choice) return { answer: { value: choice.value } };
  if (!isBlind(field)) return key === 'y' ? { answer: { value } } : key === 'n' ? { edit: value } : undefined;
  const isNumber = field.type === 'integer' || field.type === 'number';
  return isNumber && /^[1-9]$/.test(key) ? { edit: Number(key) } : undefined;
}
