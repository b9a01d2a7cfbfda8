/** API tokens: spec §2.2 and §4.2. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { listOf, openEnum, pageQuery, text, timestamp, typeId } from './fields.ts';
import { SCOPE_MEANINGS, SCOPES } from './scopes.ts';

const SCOPE_LIST = Object.entries(SCOPE_MEANINGS)
  .map(([scope, meaning]) => `\`${scope}\`: ${meaning}.`)
  .join(' ');

const ApiKeySchema = z
  .object({
    key_id: typeId('key'),
    name: z.string(),
    prefix: z
      .string()
      .describe('First characters of the token, to recognise it by.')
      .meta({ examples: ['cas_3f9k'] }),
    created_at: timestamp(),
    scopes: z.array(openEnum(SCOPES)).nullable().describe('null: the token may do everything.'),
    last_used_at: timestamp().nullable().describe('Exact to a minute.'),
    last_used_address: z.string().nullable().describe('Where its last use came from, as exact.'),
    expires_at: timestamp().nullable(),
  })
  .meta({ id: 'ApiKey' });

const CreatedApiKeySchema = ApiKeySchema.extend({
  token: z.string().describe('The full token. Shown once, never again.'),
}).meta({ id: 'CreatedApiKey' });

export const listKeys = endpoint({
  operationId: 'listKeys',
  method: 'get',
  path: '/v1/keys',
  summary: 'API tokens of the user, newest first; all of them unless `limit` is given',
  tag: 'API tokens',
  auth: 'bearer',
  scope: 'keys:read',
  query: z.strictObject(pageQuery('key')),
  answers: { 200: listOf(ApiKeySchema).meta({ id: 'ApiKeyList' }) },
});

export const createKey = endpoint({
  operationId: 'createKey',
  method: 'post',
  path: '/v1/keys',
  summary: 'Create an API token',
  tag: 'API tokens',
  auth: 'bearer',
  scope: 'keys:write',
  body: z
    .strictObject({
      name: text({ min: 1, max: 200 }).meta({ examples: ['call-centre back end'] }),
      scopes: z
        .array(z.enum(SCOPES))
        .min(1)
        .max(SCOPES.length)
        .optional()
        .describe(`What the token may do; without it, everything. ${SCOPE_LIST}`)
        .meta({ examples: [['requests:write', 'sessions:read']] }),
      expires_in_days: z
        .int()
        .min(1)
        .max(3650)
        .optional()
        .describe('Without it the token does not expire. One that expires makes none that outlives it.'),
    })
    .meta({ id: 'ApiKeyInput' }),
  answers: { 201: CreatedApiKeySchema },
  errors: ['quota_exceeded'],
});

export const revokeKey = endpoint({
  operationId: 'revokeKey',
  method: 'delete',
  path: '/v1/keys/{key_id}',
  summary: 'Revoke an API token; it is dead at once',
  tag: 'API tokens',
  auth: 'bearer',
  scope: 'keys:write',
  params: z.object({ key_id: typeId('key') }),
  answers: { 204: null },
});

export const revokeAllKeys = endpoint({
  operationId: 'revokeAllKeys',
  method: 'delete',
  path: '/v1/keys',
  summary: 'Revoke every API token of the user, the one that asks included',
  tag: 'API tokens',
  auth: 'bearer',
  scope: 'keys:write',
  answers: {
    200: z.object({ revoked: z.int().describe('Tokens that are dead now.') }).meta({ id: 'RevokedApiKeys' }),
  },
});

export type ApiKey = z.output<typeof ApiKeySchema>;
export type CreatedApiKey = z.output<typeof CreatedApiKeySchema>;
