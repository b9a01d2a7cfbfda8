/** Instructions about the fields, in addition to their schema. */
import type { FieldEncoding } from '../../contract/values/constants.ts';
import { answeredByModel } from '../../contract/fields/field-types.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import { questionOf } from './fields-schema.ts';
import type { FieldsRead } from './read-fields.ts';

export function fieldRules(declared: readonly ResultField[], encoding: FieldEncoding): string[] {
  const fields = answeredByModel(declared);
  if (fields.length === 0) return [];
  const empty = encoding === 'rows' ? 'an empty text' : 'an empty list';
  return [
    `\`fields\`: ${empty} unless the conversation states the value. Never guess, and never use an option such as "other" for "not stated".`,
    ...evidenceRules(fields),
    ...(encoding === 'rows' ? ['The fields, one row each; for a list, one row per value:', ...fields.map(rowOf)] : []),
  ];
}

function evidenceRules(fields: readonly ResultField[]): string[] {
  const without = fields.filter(({ evidence }) => !evidence).map(({ name }) => name);
  if (without.length === fields.length) return [];
  return [
    'Each turn begins with its number. `evidence`: before the values, copy the words that show each value word for word from',
    'one turn, with its number; at most 3 per field, and none for a field without a value.',
    ...(without.length > 0 ? [`No evidence is needed for: ${without.join(', ')}.`] : []),
  ];
}

function rowOf(field: ResultField): string {
  const { name, type, options } = field;
  return JSON.stringify({ name, type, question: questionOf(field), ...(options && { options }) });
}

/** Returns the text that asks again for invalid fields, to be added below the conversation. */
export function correctionOf({ problems }: Pick<FieldsRead, 'problems'>): string {
  const lines = Object.entries(problems).map(([name, { message }]) => `- ${name}: ${message}`);
  return [
    'An earlier answer was invalid in these fields. Answer again, following the schema and the rules:',
    ...lines,
  ].join('\n');
}
