/** Which speaker of a recording is the operator and which the client: docs/decisions.md, "Roles". */
import { z } from 'zod';
import { ROLE_SOURCES, SPEAKER_ROLES } from './constants.ts';
import { openEnum, text } from './fields.ts';
import { QuoteSchema } from './result-fields.ts';

const RoleEvidenceSchema = z
  .object({
    dropped: z.int().describe('Quotations that the speaker did not say.'),
    quotes: z.array(QuoteSchema),
  })
  .meta({ id: 'RoleEvidence' });

export const SessionRolesSchema = z
  .object({
    source: openEnum(ROLE_SOURCES).describe('Who says so: the channels of the recording, the model, or a person.'),
    map: z
      .record(z.string(), openEnum(SPEAKER_ROLES).nullable())
      .describe('The role of each speaker, by its name in `conversation`; null: not known.')
      .meta({ examples: [{ 'speaker 1': 'operator', 'speaker 2': 'client' }] }),
    evidence: z
      .record(z.string(), RoleEvidenceSchema)
      .describe("The speaker's own words from which the role follows; the model gives them, and they are checked."),
  })
  .meta({ id: 'SessionRoles' });

export type SessionRoles = z.output<typeof SessionRolesSchema>;
export type RoleMap = SessionRoles['map'];
export type RoleEvidence = z.output<typeof RoleEvidenceSchema>;

export const SessionRolesInputSchema = z
  .strictObject({
    map: z
      .record(text({ min: 1, max: 64 }), z.enum(SPEAKER_ROLES).nullable())
      .nullable()
      .describe(
        'Speakers of the session with their roles; who is left out has none. null: what the channels or the model say ' +
          'counts again.',
      )
      .meta({ examples: [{ 'speaker 1': 'operator', 'speaker 2': 'client' }] }),
  })
  .meta({ id: 'SessionRolesInput' });
