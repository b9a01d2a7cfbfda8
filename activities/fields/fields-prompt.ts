/** What a model is told of the fields beside their schema. */
import type { FieldEncoding } from '../../contract/constants.ts';
import type { ResultField } from '../../contract/result-fields.ts';
import { questionOf } from './fields-schema.ts';
import type { FieldsRead } from './read-fields.ts';

/** Returns lines for the instructions. */
export function fieldRules(fields: readonly ResultField[], encoding: FieldEncoding): string[] {
  const empty = encoding === 'rows' ? 'an empty text' : 'an empty list';
  return [
    `\`fields\`: ${empty} unless the conversation says it. Never guess, and never take an option such as "other" for "not said".`,
    ...evidenceRules(fields),
    ...(encoding === 'rows' ? ['The fields, one row each; of a list a row for each value:', ...fields.map(rowOf)] : []),
  ];
}

function evidenceRules(fields: readonly ResultField[]): string[] {
  const without = fields.filter(({ evidence }) => !evidence).map(({ name }) => name);
  if (without.length === fields.length) return [];
  return [
    'Each turn begins with its number. `evidence`: before any value, copy the words it follows from, letter by letter, with',
    'the number of the turn they stand in; at most 3 for each field, and none for a field without a value.',
    ...(without.length > 0 ? [`No evidence is needed for: ${without.join(', ')}.`] : []),
  ];
}

function rowOf(field: ResultField): string {
  const { name, type, options } = field;
  return JSON.stringify({ name, type, question: questionOf(field), ...(options && { options }) });
}

/** Returns lines that ask again for what did not fit in an answer. They go below the conversation, as data beside it. */
export function correctionOf({ problems }: Pick<FieldsRead, 'problems'>): string {
  const lines = Object.entries(problems).map(([name, { message }]) => `- ${name}: ${message}`);
  return [
    'An earlier answer did not fit in these fields. Answer again, as the schema and the rules say:',
    ...lines,
  ].join('\n');
}
