/** The schema of every model's answer, sent through the provider's structured-output mode. */
import type { FieldEncoding } from '../../../contract/values/constants.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { fieldsSchema, object, type JsonSchema } from '../../fields/fields-schema.ts';
import { ROLES } from '../../roles/known-roles.ts';

/**
 * Strict modes require every property and allow no others. So further results that an assistant's prompt requests go into
 * `findings`. docs/decisions.md, "raw_response".
 */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    summary_text: { type: 'string', description: 'The result that the instructions ask for, as prose.' },
    topics: { type: 'array', items: { type: 'string' }, description: 'Topics of the conversation, a few words each.' },
    sentiment: { type: 'string', enum: ['positive', 'neutral', 'negative', 'mixed'] },
    action_items: { type: 'array', items: { type: 'string' }, description: 'Promises and open tasks.' },
    findings: {
      type: 'array',
      description: 'One entry for each further result that the instructions ask for, such as a score or a category.',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, value: { type: 'string' } },
        required: ['name', 'value'],
        additionalProperties: false,
      },
    },
  },
  required: ['summary_text', 'topics', 'sentiment', 'action_items', 'findings'],
  additionalProperties: false,
} as const;

/** What to request besides the summary. */
export interface Asked {
  /** How to request the assistant's fields; null if there are none. */
  encoding: FieldEncoding | null;
  /** Whether to request the speaker roles. */
  roles: boolean;
}

/** Returns the schema of an answer, roles and fields first. */
export function answerSchema(fields: readonly ResultField[], { encoding, roles }: Asked): JsonSchema {
  return object({
    ...(roles && { roles: ROLES }),
    ...(encoding !== null && fieldsSchema(fields, encoding)),
    ...ANSWER_SCHEMA.properties,
  });
}

export const ANSWER_SCHEMA_NAME = 'conversation_analysis';
