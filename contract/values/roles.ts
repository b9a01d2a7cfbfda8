/** Which speaker of a recording is the operator and which the client: docs/decisions.md, "Roles". */
import { z } from 'zod';
import { ROLE_SOURCES, SPEAKER_ROLES } from './constants.ts';
import { openEnum, requestObject, responseObject, text } from './schemas.ts';
import { QuoteSchema, UnfoundQuoteSchema } from '../fields/result-fields.ts';

const RoleEvidenceSchema = responseObject('RoleEvidence', {
  dropped: z.int().describe('Number of quotes that the speaker did not say.'),
  quotes: z.array(QuoteSchema),
  unfound: z.array(UnfoundQuoteSchema).optional(),
});

const EXAMPLE = { 'speaker 1': 'operator', 'speaker 2': 'client' } as const;

export const SessionRolesSchema = responseObject('SessionRoles', {
  source: openEnum(ROLE_SOURCES).describe(
    '`model`: the language model. `channels`: the channels of the recording. `person`: set by a request.',
  ),
  map: z
    .record(z.string(), openEnum(SPEAKER_ROLES).nullable())
    .describe('Role of each speaker, by the name in `conversation`; null: unknown.')
    .meta({ examples: [EXAMPLE] }),
  evidence: z
    .record(z.string(), RoleEvidenceSchema)
    .describe(
      'Quotes of the speaker that indicate the role. The model provides the quotes, and the service checks them.',
    ),
});
export type SessionRoles = z.output<typeof SessionRolesSchema>;
export type RoleMap = SessionRoles['map'];
export type RoleEvidence = z.output<typeof RoleEvidenceSchema>;

/** With names for Go, where the generated client has a type `Client`. */
const speakerRole = () =>
  z.enum(SPEAKER_ROLES).meta({ 'x-enum-varnames': SPEAKER_ROLES.map((role) => `role_${role}`) });

export const SessionRolesInputSchema = requestObject('SessionRolesInput', {
  map: z
    .record(text({ min: 1, max: 64 }), speakerRole().nullable())
    .nullable()
    .describe(
      'Speakers of the session and their roles; omitted speakers have no role. null: restores the roles of the channels or the model.',
    )
    .meta({ examples: [EXAMPLE] }),
});
