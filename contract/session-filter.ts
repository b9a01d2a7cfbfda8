/** The filters of the list of sessions: docs/decisions.md, "Filters" and "Filters by fields". */
import { z } from 'zod';
import { ASSISTANT_TYPES, DELIVERY_STATUSES, SESSION_STATUSES } from './constants.ts';
import { queryFieldConditions, metadataPairs, moment, queryInteger, queryNumber, text, typeId } from './fields.ts';

/** Which sessions a list or an export has. */
export const sessionFilterQuery = {
  status: z.enum(SESSION_STATUSES).optional(),
  type: z.enum(ASSISTANT_TYPES).optional(),
  assistant_id: typeId('asst').optional(),
  created_after: moment().optional().describe('From this moment on.'),
  created_before: moment().optional().describe('Before this moment.'),
  delivery_status: z.enum(DELIVERY_STATUSES).optional().describe('Of the latest delivery.'),
  q: text({ min: 1, max: 200 })
    .optional()
    .describe(
      'Words in the summary or the conversation of a session that has ended: all of them, a "phrase", this or that, ' +
        '-without.',
    )
    .meta({ examples: ['parcel "not arrived"'] }),
  llm_model: text({ min: 1, max: 200 })
    .optional()
    .describe('As frozen in the session.')
    .meta({ examples: ['gpt-6-luna'] }),
  simulated: z.enum(['true', 'false']).optional(),
  trial: z.enum(['true', 'false']).optional().describe('Sessions that try settings; default both.'),
  source_session_id: typeId('sess').optional().describe('Reanalyses of this session.'),
  batch_id: typeId('bat').optional().describe('What this batch made, or ran last.'),
  metadata: metadataPairs()
    .optional()
    .describe('A parameter for each pair that the metadata has to have: `metadata.call_id=c-1042`.')
    .meta({
      examples: [{ 'metadata.call_id': 'c-1042' }],
      override: { propertyNames: { type: 'string', pattern: '^metadata\\.[^\\u0000]{1,64}$' } },
    }),
  min_cost: queryNumber(0, 1e9)
    .optional()
    .describe('Least `total_cost`, in US dollars; of a running session, the cost of the steps it has done.')
    .meta({ param: { example: 0.05 } }),
  assistant_version: queryInteger(1, 999_999_999).optional().describe('Needs `assistant_id`.'),
  field: queryFieldConditions(),
};

export type SessionFilterQuery = z.output<z.ZodObject<typeof sessionFilterQuery>>;

/** Declares what each item of the list has besides. */
export const sessionInclude = () =>
  z.enum(['fields']).optional().describe('`fields`: their values, and which are not verified.');
