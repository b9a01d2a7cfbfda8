/** Versions of an assistant: docs/decisions.md, "Versions". */
import { z } from 'zod';
import { AssistantSchema } from './assistants.ts';
import { endpoint } from './endpoint.ts';
import { ifMatch, listOf, pathNumber, queryInteger, timestamp, typeId } from './fields.ts';
import { VersionedSettingsSchema } from './versioned-settings.ts';

export const AssistantVersionSchema = z
  .object({
    version: z.int().describe('1 for the first; the highest is the present one.'),
    settings: VersionedSettingsSchema,
    restored_from: z.int().nullable().describe('The version whose settings were restored; null: they were changed.'),
    created_at: timestamp(),
  })
  .meta({ id: 'AssistantVersion' });

export type AssistantVersion = z.output<typeof AssistantVersionSchema>;

const params = z.object({ id: typeId('asst'), version: pathNumber() });

export const listAssistantVersions = endpoint({
  operationId: 'listAssistantVersions',
  method: 'get',
  path: '/v1/assistants/{id}/versions',
  summary: 'Versions of an assistant, the present one first; a change of what decides a result makes one',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:read',
  params: params.pick({ id: true }),
  query: z.strictObject({
    limit: queryInteger(1, 200).default(20).describe('Most items on the page.'),
    cursor: queryInteger(1, 999_999_999).optional().describe('`next_cursor` of the page before. Opaque.'),
  }),
  answers: { 200: listOf(AssistantVersionSchema).meta({ id: 'AssistantVersionList' }) },
});

export const getAssistantVersion = endpoint({
  operationId: 'getAssistantVersion',
  method: 'get',
  path: '/v1/assistants/{id}/versions/{version}',
  summary: 'One version of an assistant',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:read',
  params,
  answers: { 200: AssistantVersionSchema },
});

export const restoreAssistantVersion = endpoint({
  operationId: 'restoreAssistantVersion',
  method: 'post',
  path: '/v1/assistants/{id}/versions/{version}/restore',
  summary: 'Make the settings of a version the present ones, in a new version; those of the present one change nothing',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:write',
  params,
  headers: z.object({ 'if-match': ifMatch() }),
  etag: true,
  answers: { 200: AssistantSchema },
  errors: ['precondition_failed'],
});
