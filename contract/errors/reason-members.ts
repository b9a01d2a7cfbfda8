/** The members of problems and failures that let clients word them. */
import { z } from 'zod';
import { openEnum } from '../values/schemas.ts';
import { REASONS } from './reasons.ts';

const ReasonSchema = openEnum(REASONS).meta({
  id: 'Reason',
  description: 'What the sentence says, so that clients can word it themselves.',
});

export const ReasonMembers = {
  reason: ReasonSchema.optional(),
  params: z.record(z.string(), z.string()).optional().describe('The values in the sentence, by name.'),
};
