/** Invitations to a workspace, by a link: docs/decisions.md, "Invitations". */
import { z } from 'zod';
import { email } from './account.ts';
import { MEMBER_ROLES } from '../values/constants.ts';
import { endpointsOf, PUBLIC_BODY_LIMIT } from '../values/endpoint.ts';
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
import { WorkspaceSchema } from './workspaces.ts';

const endpoint = endpointsOf('Workspaces');

/** The token of an invitation's link. */
const token = () => text({ min: 1, max: 100 }).meta({ examples: ['inv-0123456789-0123456789-0123456789-0123456'] });

export const InvitationSchema = responseObject('Invitation', {
  invitation_id: typeId('inv'),
  email: z.string().meta({ examples: ['grace@example.com'] }),
  role: openEnum(MEMBER_ROLES),
  invited_by: typeId('user'),
  created_at: timestamp(),
  expires_at: timestamp(),
});

const CreatedInvitationSchema = InvitationSchema.extend({
  token: token().describe('Returned only once.'),
  url: z
    .url()
    .nullable()
    .describe(
      'The link. null: the installation has no `PUBLIC_URL`; it is then `/console/invitation#<token>` at the origin of the console.',
    ),
  mailed: z
    .boolean()
    .describe(
      'true: the link was also emailed. false: the installation sends no emails, your own address is not verified, or ' +
        'the limit of 20 emails a day, or three an hour to this address, is reached.',
    ),
}).meta({ id: 'CreatedInvitation' });

export const createInvitation = endpoint('createInvitation', 'post /v1/workspace/invitations', {
  summary: 'Invite a person',
  description:
    'If `mailed` is false, send the link to the person yourself. The link works once, for 7 days, and only for this email ' +
    'address. A new invitation replaces an open one for the same address. Only owners can invite owners.',
  scope: 'members:write',
  body: requestObject('InvitationInput', { email: email(), role: z.enum(MEMBER_ROLES) }),
  answers: { 201: CreatedInvitationSchema },
  errors: ['quota_exceeded', 'conflict'],
  audit: {
    action: 'member_invited',
    object: (_request, { invitation_id }) => invitation_id,
    details: ({ body }) => body,
  },
});

export const listInvitations = endpoint('listInvitations', 'get /v1/workspace/invitations', {
  summary: 'List open invitations',
  description: 'Newest first.',
  scope: 'members:write',
  query: z.strictObject(pageQuery('inv')),
  answers: { 200: listOf(InvitationSchema).meta({ id: 'InvitationList' }) },
});

export const revokeInvitation = endpoint('revokeInvitation', 'delete /v1/workspace/invitations/{invitation_id}', {
  summary: 'Revoke an invitation',
  scope: 'members:write',
  params: z.object({ invitation_id: typeId('inv') }),
  answers: { 204: null },
  audit: { action: 'invitation_revoked' },
});

const InvitationTokenSchema = requestObject('InvitationToken', { token: token() });

export const previewInvitation = endpoint('previewInvitation', 'post /v1/auth/invitations/preview', {
  summary: 'Show an invitation',
  description: 'Returns 404 for an unknown, accepted, revoked or expired invitation.',
  scope: null,
  body: InvitationTokenSchema,
  answers: {
    200: InvitationSchema.pick({ email: true, role: true, expires_at: true })
      .extend({
        workspace_name: z.string().meta({ examples: ['Support team'] }),
        invited_by_name: z.string().meta({ examples: ['Ada Lovelace'] }),
      })
      .meta({ id: 'InvitationPreview' }),
  },
  errors: ['not_found', 'rate_limited'],
});

export const acceptInvitation = endpoint('acceptInvitation', 'post /v1/auth/invitations/accept', {
  summary: 'Accept an invitation',
  description:
    'Returns 409 if the invitation is for another email address than yours. To accept it without an account, register with ' +
    '`invitation`.',
  scope: 'membership:write',
  body: InvitationTokenSchema,
  bodyLimit: PUBLIC_BODY_LIMIT,
  answers: { 200: WorkspaceSchema },
  errors: ['not_found', 'conflict', 'quota_exceeded'],
});
