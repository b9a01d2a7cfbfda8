/** Workspaces and their members: docs/decisions.md, "Workspaces". */
import { z } from 'zod';
import { BUDGET, budgetInput, passwordOrProof } from './account.ts';
import { passwordRefused } from './audit.ts';
import { MEMBER_ROLES, MEMBERSHIP_SOURCES, SIGN_IN_POLICIES, workspaceBase } from './constants.ts';
import { audited, endpointsOf } from './endpoint.ts';
import {
  areDistinct,
  listOf,
  openEnum,
  pageQuery,
  requestObject,
  responseObject,
  text,
  timestamp,
  typeId,
  usd,
} from './fields.ts';

const endpoint = endpointsOf('Workspaces');

const name = () => text({ min: 1, max: 200 }).meta({ examples: ['Support team'] });

const SIGN_IN =
  'What logins must have to open the workspace. `second_factor`: a code, or a provider that reports one. `sso`: single ' +
  'sign-on. API tokens are not affected.';

export const WorkspaceSchema = responseObject('Workspace', {
  workspace_id: typeId('ws'),
  name: z.string().meta({ examples: ['Support team'] }),
  base_path: z
    .string()
    .describe('Base path of requests to this workspace.')
    .meta({ examples: [workspaceBase('ws_01kaj4v5rzf1xtm8w3b2c9d0e7')] }),
  role: openEnum(MEMBER_ROLES).describe('Your role: docs/roles.md.'),
  sign_in: openEnum(SIGN_IN_POLICIES).describe(SIGN_IN),
  monthly_budget_usd: usd().nullable().describe(BUDGET),
  members: z.int().describe('Number of members.'),
  created_at: timestamp(),
});

export const listWorkspaces = endpoint('listWorkspaces', 'get /v1/workspaces', {
  summary: 'List your workspaces',
  description: 'Newest first.',
  scope: 'account:read',
  query: z.strictObject(pageQuery('ws')),
  answers: { 200: listOf(WorkspaceSchema).meta({ id: 'WorkspaceList' }) },
});

export const createWorkspace = audited(
  endpoint('createWorkspace', 'post /v1/workspaces', {
    summary: 'Create a workspace',
    description:
      'You become its owner. If registration is not open, only users who own a workspace can create another.',
    scope: 'membership:write',
    body: requestObject('WorkspaceInput', { name: name() }),
    answers: { 201: WorkspaceSchema },
    errors: ['quota_exceeded', 'registration_closed'],
  }),
  { action: 'workspace_created', workspace: (_request, { workspace_id }) => workspace_id },
);

export const getWorkspace = endpoint('getWorkspace', 'get /v1/workspace', {
  summary: 'Retrieve the workspace of the request',
  scope: 'members:read',
  answers: { 200: WorkspaceSchema },
});

export const updateWorkspace = audited(
  endpoint('updateWorkspace', 'patch /v1/workspace', {
    summary: 'Update the workspace',
    scope: 'workspace:write',
    body: requestObject('WorkspacePatch', {
      name: name().optional(),
      monthly_budget_usd: budgetInput(),
      sign_in: z
        .enum(SIGN_IN_POLICIES)
        .optional()
        .describe(`${SIGN_IN} Only owners change it, with a login that satisfies it and a recent proof of identity.`),
    }),
    answers: { 200: WorkspaceSchema },
    errors: ['not_a_person', 'proof_required'],
  }),
  {
    action: 'workspace_changed',
    details: ({ body: { name, monthly_budget_usd, sign_in } }) => ({
      ...(sign_in !== undefined && { sign_in }),
      ...(name !== undefined && { name }),
      ...(monthly_budget_usd !== undefined && { monthly_budget_usd }),
    }),
  },
);

export const deleteWorkspace = audited(
  endpoint('deleteWorkspace', 'delete /v1/workspace', {
    summary: 'Delete the workspace',
    description: 'The workspace is inaccessible at once, also to its members. Its data is erased within minutes.',
    scope: 'workspace:own',
    body: requestObject('DeleteWorkspaceInput', { current_password: passwordOrProof() }),
    answers: { 204: null },
    errors: ['not_a_person', 'proof_required', 'rate_limited'],
  }),
  { action: 'workspace_deleted', refused: passwordRefused('workspace_deletion_failed') },
);

export const MemberSchema = responseObject('Member', {
  user_id: typeId('user'),
  name: z.string().meta({ examples: ['Ada Lovelace'] }),
  email: z.string().meta({ examples: ['ada@example.com'] }),
  role: openEnum(MEMBER_ROLES),
  source: openEnum(MEMBERSHIP_SOURCES).describe('`sso`: a group at the provider of single sign-on gives the role.'),
  second_factor: z.boolean().describe('The member has set up a second factor.'),
  sso: z.boolean().describe('The member has connected a single sign-on.'),
  joined_at: timestamp(),
});

const params = z.object({ user_id: typeId('user') });

const tokensQuery = z.strictObject({
  tokens: z
    .enum(['keep', 'revoke'])
    .optional()
    .describe('What happens to the API tokens that the member created. Required if one of them is valid.'),
});

export const listMembers = endpoint('listMembers', 'get /v1/workspace/members', {
  summary: 'List members',
  description: 'Returns all members unless `limit` is set.',
  scope: 'members:read',
  query: z.strictObject(pageQuery('user')),
  answers: { 200: listOf(MemberSchema).meta({ id: 'MemberList' }) },
});

export const updateMember = audited(
  endpoint('updateMember', 'patch /v1/workspace/members/{user_id}', {
    summary: 'Change the role of a member',
    description: 'Only owners appoint owners and change their roles.',
    scope: 'members:write',
    params,
    body: requestObject('MemberPatch', { role: z.enum(MEMBER_ROLES) }),
    answers: { 200: MemberSchema },
    errors: ['last_owner'],
  }),
  {
    action: 'member_role_changed',
    object: ({ params }) => params.user_id,
    details: ({ body }) => ({ role: body.role }),
  },
);

export const removeMember = audited(
  endpoint('removeMember', 'delete /v1/workspace/members/{user_id}', {
    summary: 'Remove a member',
    description: 'Takes effect at once, also on open event streams. Sessions and assistants remain.',
    scope: 'members:write',
    params,
    query: tokensQuery,
    answers: { 204: null },
    errors: ['last_owner'],
  }),
  {
    action: 'member_removed',
    object: ({ params }) => params.user_id,
    details: ({ query }) => ({ tokens: query.tokens ?? null }),
  },
);

export const leaveWorkspace = audited(
  endpoint('leaveWorkspace', 'delete /v1/workspace/membership', {
    summary: 'Leave the workspace',
    scope: 'membership:write',
    query: tokensQuery,
    answers: { 204: null },
    errors: ['not_found', 'last_owner'],
  }),
  { action: 'member_left', details: ({ query }) => ({ tokens: query.tokens ?? null }) },
);

const GroupRolesInputSchema = z
  .object({
    data: z
      .array(
        requestObject('GroupRoleInput', {
          group: text({ min: 1, max: 200 }).meta({ examples: ['support-leads'] }),
          role: z.enum(MEMBER_ROLES).exclude(['owner']),
        }),
      )
      .max(100)
      .refine((rows) => areDistinct(rows.map(({ group }) => group)), 'must not repeat a group'),
  })
  .strict()
  .meta({ id: 'GroupRolesInput' });

const GroupRolesSchema = responseObject('GroupRoles', {
  data: z.array(responseObject('GroupRole', { group: z.string(), role: openEnum(MEMBER_ROLES) })),
});

export const getGroupRoles = endpoint('getGroupRoles', 'get /v1/workspace/group-roles', {
  summary: 'List the roles of groups',
  scope: 'workspace:own',
  answers: { 200: GroupRolesSchema },
});

export const setGroupRoles = audited(
  endpoint('setGroupRoles', 'put /v1/workspace/group-roles', {
    summary: 'Replace the roles of groups',
    description:
      'At each single sign-on, a person with such a group at the provider becomes a member with the most powerful role of ' +
      'their groups. Memberships by groups end when the group does; those that people gave stay. No group makes owners.',
    scope: 'workspace:own',
    body: GroupRolesInputSchema,
    answers: { 200: GroupRolesSchema },
    errors: ['not_a_person', 'proof_required'],
  }),
  { action: 'workspace_changed', details: ({ body }) => ({ group_roles: body.data.length }) },
);
