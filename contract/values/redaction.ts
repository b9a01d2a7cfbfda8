/** Redaction of conversations: docs/redaction.md. */
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { REDACTION_KINDS } from './redaction-kinds.ts';
import { areDistinct, openEnum, responseObject } from './schemas.ts';

export const RedactionInputSchema = z
  .strictObject({
    entities: z
      .array(z.enum(REDACTION_KINDS))
      .min(1, rule('too_few', { min: 'one', unit: 'kind' }))
      .max(REDACTION_KINDS.length)
      .refine(areDistinct, rule('unique', { unit: 'kind' }))
      .describe(
        'The kinds of data to replace. `card`: also numbers of 13 digits or more with a wrong check digit. `name` and `address` require the setting `REDACTION_URL` of the installation.',
      )
      .meta({ uniqueItems: true, examples: [['card', 'code', 'phone']] }),
    originals: z
      .enum(['discard', 'seal'])
      .default('discard')
      .describe('`seal`: the originals are stored encrypted, for `reveal=true`. Cards and codes are always discarded.'),
    keep_audio: z.boolean().default(false).describe('false: the recording is deleted at the end of the session.'),
  })
  .meta({ id: 'RedactionInput', examples: [{ entities: ['card', 'code', 'phone'], originals: 'seal' }] });

export const RedactionSettingsSchema = responseObject('Redaction', {
  entities: z.array(openEnum(REDACTION_KINDS)),
  originals: openEnum(['discard', 'seal']),
  keep_audio: z.boolean(),
});
export type RedactionSettings = z.output<typeof RedactionSettingsSchema>;

export const SessionRedactionSchema = responseObject('SessionRedaction', {
  entities: z.array(openEnum(REDACTION_KINDS)).describe('The kinds of data that the session was checked for.'),
  counts: z
    .record(z.string(), z.int())
    .describe('Number of different values that were replaced, by kind.')
    .meta({ examples: [{ card: 1, phone: 2 }] }),
  originals: openEnum(['discarded', 'sealed']).describe('`sealed`: `GET /v1/sessions/{id}?reveal=true` returns them.'),
  recognizer: z.boolean().describe('true: a recognizer searched the conversation for names or addresses.'),
});
export type SessionRedaction = z.output<typeof SessionRedactionSchema>;
