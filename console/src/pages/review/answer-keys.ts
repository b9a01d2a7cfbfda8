/** The keys that answer a question. */
import { FIELD_TYPE_FACTS, isNumber, isYesNo } from '../../../../contract/fields/field-types.ts';
import type { FieldValue, ResultField } from '../../../../contract/fields/result-fields.ts';
import type { Answer } from '../../server/review.ts';

/** What a key does: it gives an answer, or opens the control of the type with a first value. */
export type KeyAction = { answer: Answer } | { edit: FieldValue | null };

/** Options with a key. */
const MAX_KEYS = 9;

/** The largest answer among the buttons of an integer. Its keys are 1 and 0. */
const MAX_BUTTON = 10;

/** Returns whether the person answers before the model's value is shown. */
export const isBlind = ({ type }: ResultField) => FIELD_TYPE_FACTS[type].isBlind;

/** Returns the values that have a button, with their keys. */
export function choicesOf({ type, options = [], minimum = -Infinity, maximum = Infinity }: ResultField) {
  if (isYesNo(type)) return [true, false].map((value) => ({ key: value ? 'y' : 'n', value }));
  if (type === 'enum')
    return options.map((value, index) => ({ key: index < MAX_KEYS ? String(index + 1) : '', value }));
  if (type !== 'integer' || maximum > MAX_BUTTON || minimum < 0) return [];
  const numbers = Array.from({ length: MAX_BUTTON + 1 }, (_, index) => index);
  return numbers
    .filter((number) => number >= minimum && number <= maximum)
    .map((value) => ({ key: [...String(value)].join(' '), value }));
}

/** The key for "not said", because 0 is an answer. */
export const NOT_SAID = '-';

/**
 * Returns what a key does.
 * @param value the model's value.
 * @param given the person's answer so far: 0 after 1 means 10.
 */
export function actionOf(
  field: ResultField,
  key: string,
  value: FieldValue | null,
  given: Answer | undefined,
): KeyAction | undefined {
  if (key === NOT_SAID) return { answer: { value: null } };
  if (key === 'x') return { answer: 'unsure' };
  if (key === 'e') return { edit: isBlind(field) ? null : value };
  const choices = choicesOf(field);
  const typed = given !== 'unsure' && given?.value === 1 ? `1 ${key}` : key;
  const choice = choices.find((each) => each.key === typed) ?? choices.find((each) => each.key === key);
  if (choice) return { answer: { value: choice.value } };
  if (!isBlind(field)) return key === 'y' ? { answer: { value } } : key === 'n' ? { edit: value } : undefined;
  return isNumber(field.type) && choices.length === 0 && /^\d$/.test(key) ? { edit: Number(key) } : undefined;
}
