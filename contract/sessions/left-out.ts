/** What models and servers refused of the requests of a session. */
import { z } from 'zod';
import { STEPS } from '../values/constants.ts';
import { openEnum, responseObject } from '../values/schemas.ts';

const LeftOutSchema = responseObject('LeftOut', {
  step: openEnum(STEPS),
  parameter: z
    .string()
    .meta({ examples: ['temperature'] })
    .describe("Name in the provider's API."),
  terms: z.int().optional().describe('Number of terms of the vocabulary that did not fit; the others were sent.'),
});
export type LeftOut = z.output<typeof LeftOutSchema>;

export const leftOut = () =>
  z
    .array(LeftOutSchema)
    .nullable()
    .describe(
      'Parameters that a model or server refused, so the request was repeated without them, and terms that did not fit; null: none.',
    );
