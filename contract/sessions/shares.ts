/** Read-only links without a login to one session or one experiment: docs/decisions.md, "Shared links". */
import { z } from 'zod';
import { ruleIssue } from '../errors/rule.ts';
import { ResultFieldSchema } from '../fields/result-fields.ts';
import { BatchAccuracySchema } from '../reviews/accuracy.ts';
import { SHARE_PARTS, SHARED_OF } from '../values/session-lists.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { listOf, openEnum, pageQuery, responseObject, text, timestamp, typeId } from '../values/schemas.ts';
import { BatchSchema } from './batches.ts';
import { TurnSchema } from './sessions.ts';

const endpoint = endpointsOf('Shared links');

const token = () => text({ min: 1, max: 100 }).meta({ examples: ['shr-0123456789-0123456789-0123456789-0123456'] });

export const ShareSchema = responseObject('SharedLink', {
  share_id: typeId('shr'),
  session_id: typeId('sess').nullable(),
  batch_id: typeId('bat').nullable(),
  parts: z.array(openEnum(SHARE_PARTS)),
  created_by: typeId('user'),
  created_at: timestamp(),
  expires_at: timestamp(),
});

const ShareInputSchema = z
  .strictObject({
    session_id: typeId('sess').optional(),
    batch_id: typeId('bat').optional().describe('A batch of reanalyses.'),
    parts: z
      .array(z.enum(SHARE_PARTS))
      .min(1)
      .describe('Of a session: `summary`, `fields`, `conversation`. Of a batch: `verdict`, `settings`.'),
    expires_in_days: z.int().min(1).max(90).default(7),
  })
  .superRefine(({ session_id, batch_id, parts }, context) => {
    if (session_id === undefined && batch_id === undefined)
      context.addIssue(ruleIssue(['session_id'], 'required:for', { purpose: 'a link without `batch_id`' }));
    if (session_id !== undefined && batch_id !== undefined)
      context.addIssue(ruleIssue(['batch_id'], 'combined', { other: 'session_id' }));
    const allowed: readonly string[] = SHARED_OF[batch_id === undefined ? 'session' : 'batch'];
    for (const [index, part] of parts.entries())
      if (!allowed.includes(part))
        context.addIssue(ruleIssue(['parts', index], 'option', { options: allowed.join(', ') }));
  })
  .meta({
    id: 'SharedLinkInput',
    examples: [{ session_id: 'sess_01h2xcejqtf2nbrexx3vqjhp41', parts: ['summary', 'fields'], expires_in_days: 7 }],
  });

export const createShare = endpoint('createShare', 'post /v1/shares', {
  summary: 'Share a session or an experiment',
  description:
    'Creates a link that shows the chosen parts to anybody who has it, read-only and without a login. It never shows recordings or ' +
    'the originals of redacted values. It ends when it expires or is revoked, when the data is deleted, and when its creator ' +
    'leaves the workspace or loses the scope `sessions:write`. Needs a login, and the setting `SHARED_LINKS` of the installation.',
  scope: 'sessions:write',
  body: ShareInputSchema,
  answers: {
    201: ShareSchema.extend({
      token: token().describe('Returned only once.'),
      url: z
        .url()
        .nullable()
        .describe('The link. null: the installation has no `PUBLIC_URL`; it is then `/console/shared#<token>`.'),
    }).meta({ id: 'CreatedSharedLink' }),
  },
  errors: ['not_found', 'conflict', 'quota_exceeded'],
  audit: {
    action: 'share_created',
    object: (_request, { share_id }) => share_id,
    details: ({ body: { session_id, batch_id, parts } }) => ({
      object_id: session_id ?? batch_id ?? null,
      parts: parts.join(', '),
    }),
  },
});

export const listShares = endpoint('listShares', 'get /v1/shares', {
  summary: 'List shared links',
  description: 'Newest first, without expired ones.',
  scope: 'sessions:read',
  query: z.strictObject({
    session_id: typeId('sess').optional(),
    batch_id: typeId('bat').optional(),
    ...pageQuery('shr'),
  }),
  answers: { 200: listOf(ShareSchema).meta({ id: 'SharedLinkList' }) },
});

export const revokeShare = endpoint('revokeShare', 'delete /v1/shares/{id}', {
  summary: 'Revoke a shared link',
  scope: 'sessions:write',
  params: z.object({ id: typeId('shr') }),
  answers: { 204: null },
  audit: { action: 'share_revoked' },
});

const SharedSchema = responseObject('Shared', {
  title: z.string().describe('The name of the assistant, or of the experiment.'),
  shared_by: z.string(),
  expires_at: timestamp(),
  created_at: timestamp().describe('When the session or batch was created.'),
  summary_text: z.string().nullable().optional(),
  fields: z.array(z.object({ title: z.string(), value: z.unknown() })).optional(),
  conversation: z.array(TurnSchema).nullable().optional(),
  verdict: BatchAccuracySchema.optional(),
  questions: z.array(ResultFieldSchema).optional().describe('The fields that the verdict names.'),
  settings: BatchSchema.shape.overrides.optional(),
});
export type Shared = z.output<typeof SharedSchema>;

export const openShare = endpoint('openShare', 'post /v1/shared', {
  summary: 'Open a shared link',
  description:
    'Returns only the parts that were chosen. Returns 404 for a link that is unknown, expired, revoked or ended.',
  scope: null,
  body: z.strictObject({ token: token() }),
  answers: { 200: SharedSchema },
  errors: ['not_found', 'rate_limited'],
});
