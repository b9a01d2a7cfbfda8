/** How a model is asked who is who: docs/decisions.md, "Roles". */
import { SPEAKER_ROLES } from '../../contract/constants.ts';
import { object } from '../fields/fields-schema.ts';
import type { JsonSchema } from '../fields/fields-schema.ts';

/** The part of the answer's schema; like that of the fields it has no union, no optional property and no bound. */
export const ROLES: JsonSchema = {
  type: 'array',
  description: 'One entry for each speaker: words of that speaker, then the role that follows from them.',
  items: object({
    ...{ speaker: { type: 'string' }, turn: { type: 'integer' }, quote: { type: 'string' } },
    role: { type: 'string', enum: SPEAKER_ROLES },
  }),
};

/** Lines for the instructions. */
export const ROLE_RULES: readonly string[] = [
  "Each turn begins with its number. `roles`: for each speaker copy words of that speaker's own, letter by letter, with the",
  'number of the turn they stand in, then say who it is. The operator answers for the company: greets by its name, asks for',
  'data, promises. The client is the one who is served. Anybody else is `other`.',
];
