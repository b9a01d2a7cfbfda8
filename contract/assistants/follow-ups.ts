/** Follow-ups of an assistant: other assistants on the same conversation. docs/results.md, "Follow-ups". */
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { LIMITS } from '../values/limits.ts';
import { areDistinct, fieldConditions, requestObject, responseObject, typeId } from '../values/schemas.ts';

const FollowUpInputSchema = requestObject('FollowUpInput', {
  assistant_id: typeId('asst').describe('Another assistant of the workspace, of either type.'),
  when: fieldConditions()
    .default([])
    .describe('Conditions on the result, as in alerts. It must meet all of them. Default: none.')
    .meta({ examples: [['resolved:eq:false']] }),
});

export const followUps = () =>
  z
    .array(FollowUpInputSchema)
    .max(LIMITS.followUps)
    .refine((all) => areDistinct(all.map((each) => each.assistant_id)), rule('unique', { unit: 'assistant' }))
    .describe(
      'Assistants that analyze the same conversation when a session completes, without another transcription. Replaces all ' +
        'follow-ups. `null` or `[]`: none.',
    );

export const FollowUpSchema = responseObject('FollowUp', { assistant_id: typeId('asst'), when: z.array(z.string()) });
export type FollowUp = z.output<typeof FollowUpSchema>;
