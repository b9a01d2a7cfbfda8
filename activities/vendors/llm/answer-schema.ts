/** The schema of the answer that every model is asked for, through its vendor's structured-output mode. */
import type { FieldEncoding } from '../../../contract/constants.ts';
import type { ResultField } from '../../../contract/result-fields.ts';
import { fieldsSchema, object } from '../../fields/fields-schema.ts';
import type { JsonSchema } from '../../fields/fields-schema.ts';
import { ROLES } from '../../roles/roles-schema.ts';

/**
 * Strict modes want every property required and no others. So an answer to what an assistant's prompt asks beyond a
 * summary goes into `findings`. docs/decisions.md, "raw_response".
 */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    summary_text: { type: 'string', description: 'The result the instructions ask for, in prose.' },
    topics: {
      type: 'array',
      items: { type: 'string' },
      description: 'What the conversation is about, a few words each.',
    },
    sentiment: { type: 'string', enum: ['positive', 'neutral', 'negative', 'mixed'] },
    action_items: {
      type: 'array',
      items: { type: 'string' },
      description: 'What was promised or is still to be done.',
    },
    findings: {
      type: 'array',
      description: 'One entry for each further thing the instructions ask for, such as a score or a category.',
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

/** What a model is asked for beyond the summary. */
export interface Asked {
  /** How the assistant's fields are asked for; null where it has none. */
  encoding: FieldEncoding | null;
  /** Whether it is asked who is who. */
  roles: boolean;
}

/** Returns the schema of an answer. Roles and fields come before all else. */
export function answerSchema(fields: readonly ResultField[], { encoding, roles }: Asked): JsonSchema {
  return object({
    ...(roles && { roles: ROLES }),
    ...(encoding !== null && fieldsSchema(fields, encoding)),
    ...ANSWER_SCHEMA.properties,
  });
}

export const ANSWER_SCHEMA_NAME = 'conversation_analysis';
