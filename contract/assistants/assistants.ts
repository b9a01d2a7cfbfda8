/** The endpoints of assistants and their versions: specification §4.3; docs/decisions.md, "Versions". */
import { z } from 'zod';
import { AssistantPatchSchema, AssistantSchema, AssistantSettingsSchema } from './assistant-schemas.ts';
import { webhookBlocked, webhookSettingsOf } from '../account/audit.ts';
import { endpointsOf } from '../values/endpoint.ts';
import {
  ifMatch,
  listOf,
  pageQuery,
  pathNumber,
  queryInteger,
  responseObject,
  timestamp,
  typeId,
} from '../values/schemas.ts';
import { VersionedSettingsSchema } from './versioned-settings.ts';

const endpoint = endpointsOf('Assistants');

const params = z.object({ id: typeId('asst') });

export const listAssistants = endpoint('listAssistants', 'get /v1/assistants', {
  summary: 'List assistants',
  description: 'Newest first. Returns all assistants unless `limit` is set.',
  scope: 'assistants:read',
  query: z.strictObject(pageQuery('asst')),
  answers: { 200: listOf(AssistantSchema).meta({ id: 'AssistantList' }) },
});

export const createAssistant = endpoint('createAssistant', 'post /v1/assistants', {
  summary: 'Create an assistant',
  scope: 'assistants:write',
  body: AssistantSettingsSchema,
  etag: true,
  answers: { 201: AssistantSchema },
  errors: ['quota_exceeded'],
  location: '/v1/assistants/{id}',
  audit: {
    action: 'assistant_created',
    object: (_request, { id }) => id,
    details: ({ body }) => ({ fields: Object.keys(body).join(', ') }),
    refused: (refusal) => webhookBlocked(refusal),
  },
});

export const getAssistant = endpoint('getAssistant', 'get /v1/assistants/{id}', {
  summary: 'Retrieve an assistant',
  scope: 'assistants:read',
  params,
  etag: true,
  answers: { 200: AssistantSchema },
});

export const updateAssistant = endpoint('updateAssistant', 'patch /v1/assistants/{id}', {
  summary: 'Update an assistant',
  scope: 'assistants:write',
  params,
  headers: z.object({ 'if-match': ifMatch() }),
  body: AssistantPatchSchema,
  etag: true,
  answers: { 200: AssistantSchema },
  errors: ['precondition_failed', 'quota_exceeded'],
  audit: {
    action: ({ body }) => (webhookSettingsOf(body).length > 0 ? 'webhook_changed' : 'assistant_changed'),
    when: ({ body }) => Object.keys(body).length > 0,
    details: ({ body }, { version }) => ({ version, fields: Object.keys(body).join(', ') }),
    refused: (refusal, { params }) => webhookBlocked(refusal, params.id),
  },
});

export const deleteAssistant = endpoint('deleteAssistant', 'delete /v1/assistants/{id}', {
  summary: 'Delete an assistant',
  description: 'The sessions of the assistant remain readable. Its pending deliveries stop.',
  scope: 'assistants:write',
  params,
  answers: { 204: null },
  audit: { action: 'assistant_deleted' },
});

export const duplicateAssistant = endpoint('duplicateAssistant', 'post /v1/assistants/{id}/duplicate', {
  summary: 'Duplicate an assistant',
  description: 'The copy has the same webhook secret.',
  scope: 'assistants:write',
  params,
  etag: true,
  answers: { 201: AssistantSchema },
  errors: ['quota_exceeded'],
  location: '/v1/assistants/{id}',
  audit: {
    action: 'assistant_created',
    object: (_request, { id }) => id,
    details: ({ params }) => ({ duplicated_from: params.id }),
  },
});

export const AssistantVersionSchema = responseObject('AssistantVersion', {
  version: z.int().describe('Versions start at 1. The highest number is the current version.'),
  settings: VersionedSettingsSchema,
  restored_from: z
    .int()
    .nullable()
    .describe('The version whose settings were restored; null: the settings were changed.'),
  created_at: timestamp(),
  created_by: z
    .string()
    .nullable()
    .describe('ID of the API token (`key_…`) or user (`user_…`) that created the version; null: unknown.'),
});
export type AssistantVersion = z.output<typeof AssistantVersionSchema>;

const versionParams = params.extend({ version: pathNumber() });

export const listAssistantVersions = endpoint('listAssistantVersions', 'get /v1/assistants/{id}/versions', {
  summary: 'List versions of an assistant',
  description: 'Newest first. Changing a setting that affects a result creates a version.',
  scope: 'assistants:read',
  params,
  query: z.strictObject({
    // The prompts of 50 versions can take 20 MB.
    limit: queryInteger(1, 50).default(20).describe('Maximum number of items per page.'),
    cursor: queryInteger(1, 999_999_999).optional().describe('`next_cursor` of the previous page.'),
  }),
  answers: { 200: listOf(AssistantVersionSchema).meta({ id: 'AssistantVersionList' }) },
});

export const getAssistantVersion = endpoint('getAssistantVersion', 'get /v1/assistants/{id}/versions/{version}', {
  summary: 'Retrieve a version of an assistant',
  scope: 'assistants:read',
  params: versionParams,
  answers: { 200: AssistantVersionSchema },
});

export const restoreAssistantVersion = endpoint(
  'restoreAssistantVersion',
  'post /v1/assistants/{id}/versions/{version}/restore',
  {
    summary: 'Restore a version of an assistant',
    description: 'Creates a new version with the settings of this one. Restoring the current settings changes nothing.',
    scope: 'assistants:write',
    params: versionParams,
    headers: z.object({ 'if-match': ifMatch() }),
    etag: true,
    answers: { 200: AssistantSchema },
    errors: ['precondition_failed', 'quota_exceeded'],
    audit: { action: 'version_restored', details: ({ params }) => ({ version: Number(params.version) }) },
  },
);
