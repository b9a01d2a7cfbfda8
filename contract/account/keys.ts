/** API tokens: specification §2.2 and §4.2. */
import { LIMITS } from '../values/limits.ts';
import { z } from 'zod';
import { endpointsOf } from '../values/endpoint.ts';
import {
  listOf,
  openEnum,
  pageQuery,
  requestObject,
  responseObject,
  text,
  timestamp,
  typeId,
} from '../values/schemas.ts';
import { SCOPE_MEANINGS } from '../values/scope-meanings.ts';
import { NAMED_SCOPES, TOKEN_SCOPES } from '../values/scopes.ts';

const endpoint = endpointsOf('API tokens');

const SCOPE_LIST = TOKEN_SCOPES.map((scope) => `\`${scope}\`: ${SCOPE_MEANINGS[scope]}.`).join(' ');

const NAMED = NAMED_SCOPES.map((scope) => `\`${scope}\``).join(' and ');

export const ApiKeySchema = responseObject('ApiKey', {
  key_id: typeId('key'),
  name: z.string().meta({ examples: ['call-center back end'] }),
  prefix: z
    .string()
    .describe('The first characters of the token.')
    .meta({ examples: ['cas_3f9k'] }),
  created_at: timestamp(),
  scopes: z.array(openEnum(TOKEN_SCOPES)).nullable().describe(`null: all scopes except ${NAMED}.`),
  created_by: typeId('user').nullable().describe('null: the user no longer exists.'),
  created_by_key: typeId('key')
    .nullable()
    .describe('The token that created this one; null: created with a login. Revoking that token revokes this one.')
    .meta({ examples: ['key_01kaj8m2t4e8ksr0q6y5v1n3ba'] }),
  rolled_from: typeId('key')
    .nullable()
    .describe('The token that this one replaced when it was rolled. Revoking one of them revokes both.')
    .meta({ examples: ['key_01kaj8m2t4e8ksr0q6y5v1n3ba'] }),
  last_used_at: timestamp().nullable().describe('Accurate to one minute.'),
  last_used_address: z.string().nullable().describe('IP address of the last use, updated with `last_used_at`.'),
  expires_at: timestamp().nullable(),
});

const CreatedApiKeySchema = ApiKeySchema.extend({
  token: z
    .string()
    .describe('The full token. Returned only once.')
    .meta({ examples: ['cas_3f9kexamp1exexamp1exexamp1exexamp0000000'] }),
}).meta({ id: 'CreatedApiKey' });

export const ListedApiKeySchema = ApiKeySchema.extend({
  created_by_name: z
    .string()
    .nullable()
    .describe('null: the user no longer exists.')
    .meta({ examples: ['Ada Lovelace'] }),
  created_by_left: z
    .boolean()
    .describe('true: the user is no longer a member. An owner kept the token for the workspace.'),
}).meta({ id: 'ListedApiKey' });

export const listKeys = endpoint('listKeys', 'get /v1/keys', {
  summary: 'List API tokens',
  description: 'Newest first. Returns all tokens unless `limit` is set.',
  scope: 'keys:read',
  query: z.strictObject(pageQuery('key')),
  answers: { 200: listOf(ListedApiKeySchema).meta({ id: 'ApiKeyList' }) },
});

export const createKey = endpoint('createKey', 'post /v1/keys', {
  summary: 'Create an API token',
  scope: 'keys:write',
  body: requestObject('ApiKeyInput', {
    name: text({ min: 1, max: LIMITS.name }).meta({ examples: ['call-center back end'] }),
    scopes: z
      .array(z.enum(TOKEN_SCOPES))
      .min(1)
      .max(TOKEN_SCOPES.length)
      .optional()
      .describe(
        `What the token is allowed to do. At most the scopes of your role, now and later: without the role, the token has no scopes. Default: all of them except ${NAMED}. ${SCOPE_LIST}`,
      )
      .meta({ examples: [['requests:write', 'sessions:read']] }),
    expires_in_days: z
      .int()
      .min(LIMITS.tokenDays.min)
      .max(LIMITS.tokenDays.max)
      .optional()
      .describe('Default: never. A token that expires can only create tokens that expire no later.'),
  }),
  answers: { 201: CreatedApiKeySchema },
  errors: ['quota_exceeded'],
  audit: { action: 'token_created', object: (_request, { key_id }) => key_id },
});

export const rollKey = endpoint('rollKey', 'post /v1/keys/{key_id}/roll', {
  summary: 'Roll an API token',
  description:
    'Creates a token with the same name, scopes and expiry. Only the old token stops working after the overlap. ' +
    'You need all scopes of the token. A token can be rolled once; roll its successor next.',
  scope: 'keys:write',
  params: z.object({ key_id: typeId('key') }),
  body: requestObject('RollInput', {
    overlap_hours: z.int().min(0).max(168).optional().describe('Hours until the old token stops working. Default: 24.'),
  }),
  answers: { 201: CreatedApiKeySchema },
  errors: ['quota_exceeded', 'conflict'],
  audit: { action: 'token_rolled', details: (_request, { key_id }) => ({ new_key_id: key_id }) },
});

export const revokeKey = endpoint('revokeKey', 'delete /v1/keys/{key_id}', {
  summary: 'Revoke an API token',
  description: 'Also revokes the tokens that were created with it, and those that it was rolled from and to.',
  scope: 'keys:write',
  params: z.object({ key_id: typeId('key') }),
  answers: { 204: null },
  audit: { action: 'token_revoked' },
});

export const revokeAllKeys = endpoint('revokeAllKeys', 'delete /v1/keys', {
  summary: 'Revoke all API tokens',
  description: 'Also revokes the token that the request uses.',
  scope: 'keys:write',
  answers: { 200: responseObject('RevokedApiKeys', { revoked: z.int().describe('Number of revoked tokens.') }) },
  audit: { action: 'tokens_revoked', details: (_request, { revoked }) => ({ revoked }) },
});
export type CreatedApiKey = z.output<typeof CreatedApiKeySchema>;
