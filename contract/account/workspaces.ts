/** Workspaces and their members: docs/decisions.md, "Workspaces". */
import { LIMITS } from '../values/limits.ts';
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { BUDGET, budgetInput, passwordOrProof } from './account.ts';
import { passwordRefused } from './audit.ts';
import { MEMBER_ROLES, MEMBERSHIP_SOURCES, SIGN_IN_POLICIES, workspaceBase } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
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
} from '../values/schemas.ts';

const endpoint = endpointsOf('Workspaces');

const name = () => text({ min: 1, max: LIMITS.name }).meta({ examples: ['Support team'] });

const SIGN_IN =
  'What a login needs to open the workspace. `second_factor`: a code, or a provider that reports a second factor. `sso`: single ' +
  'sign-on. API tokens are not affected.';

export const WorkspaceSchema = responseObject('Workspace', {
  workspace_id: typeId('ws'),
  name: z.string().meta({ examples: ['Support team'] }),
  base_path: z
    .string()
    .describe('Base path of requests to this workspace.')
    .meta({ examples: [workspaceBase('ws_01kaj4v5rzf1xtm8w3b2c9d0e7')] }),
  role: openEnum(MEMBER_ROLES).describe('Your role in the workspace.'),
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

export const createWorkspace = endpoint('createWorkspace', 'post /v1/workspaces', {
  summary: 'Create a workspace',
  description:
    'You become the owner of the workspace. If registration is not open, only users who own a workspace can create more.',
  scope: 'membership:write',
  body: requestObject('WorkspaceInput', { name: name() }),
  answers: { 201: WorkspaceSchema },
  errors: ['quota_exceeded', 'registration_closed'],
  audit: { action: 'workspace_created', workspace: (_request, { workspace_id }) => workspace_id },
});

export const getWorkspace = endpoint('getWorkspace', 'get /v1/workspace', {
  summary: 'Retrieve the workspace of the request',
  scope: 'members:read',
  answers: { 200: WorkspaceSchema },
});

export const updateWorkspace = endpoint('updateWorkspace', 'patch /v1/workspace', {
  summary: 'Update the workspace',
  scope: 'workspace:write',
  body: requestObject('WorkspacePatch', {
    name: name().optional(),
    monthly_budget_usd: budgetInput(),
    sign_in: z
      .enum(SIGN_IN_POLICIES)
      .optional()
      .describe(
        `${SIGN_IN} Only owners can change it. Their login must satisfy the new policy and have a recent proof of identity.`,
      ),
  }),
  answers: { 200: WorkspaceSchema },
  errors: ['not_a_person', 'proof_required'],
  audit: {
    action: 'workspace_changed',
    details: ({ body: { name, monthly_budget_usd, sign_in } }) => ({
      ...(sign_in !== undefined && { sign_in }),
      ...(name !== undefined && { name }),
      ...(monthly_budget_usd !== undefined && { monthly_budget_usd }),
    }),
  },
});

export const deleteWorkspace = endpoint('deleteWorkspace', 'delete /v1/workspace', {
  summary: 'Delete the workspace',
  description: 'All members lose access at once. The data of the workspace is erased within minutes.',
  scope: 'workspace:own',
  body: requestObject('DeleteWorkspaceInput', { current_password: passwordOrProof() }),
  answers: { 204: null },
  errors: ['not_a_person', 'proof_required', 'rate_limited'],
  audit: { action: 'workspace_deleted', refused: passwordRefused('workspace_deletion_failed') },
});

export const MemberSchema = responseObject('Member', {
  user_id: typeId('user'),
  name: z.string().meta({ examples: ['Ada Lovelace'] }),
  email: z.string().meta({ examples: ['ada@example.com'] }),
  role: openEnum(MEMBER_ROLES),
  source: openEnum(MEMBERSHIP_SOURCES).describe('`sso`: the role comes from a group at the single sign-on provider.'),
  second_factor: z.boolean().describe('The member has set up a second factor.'),
  sso: z.boolean().describe('The member has connected a single sign-on.'),
  joined_at: timestamp(),
});

const params = z.object({ user_id: typeId('user') });

export const listMembers = endpoint('listMembers', 'get /v1/workspace/members', {
  summary: 'List members',
  description: 'Returns all members unless `limit` is set.',
  scope: 'members:read',
  query: z.strictObject(pageQuery('user')),
  answers: { 200: listOf(MemberSchema).meta({ id: 'MemberList' }) },
});

export const updateMember = endpoint('updateMember', 'patch /v1/workspace/members/{user_id}', {
  summary: 'Change the role of a member',
  description:
    'Only owners can appoint owners and change the roles of owners. API tokens that the member created lose scopes that the new ' +
    'role does not include.',
  scope: 'members:write',
  params,
  body: requestObject('MemberPatch', { role: z.enum(MEMBER_ROLES) }),
  answers: { 200: MemberSchema },
  errors: ['last_owner'],
  audit: { action: 'member_role_changed', details: ({ body }) => ({ role: body.role }) },
});

export const removeMember = endpoint('removeMember', 'delete /v1/workspace/members/{user_id}', {
  summary: 'Remove a member',
  description: 'Takes effect at once and also ends open event streams. Sessions and assistants remain.',
  scope: 'members:write',
  params,
  query: z.strictObject({
    tokens: z
      .enum(['keep', 'revoke'])
      .optional()
      .describe(
        'What happens to the API tokens that the member created. Required if one of them is valid. Only owners can keep ' +
          'them. A kept token belongs to the workspace and keeps its scopes.',
      ),
  }),
  answers: { 204: null },
  errors: ['last_owner'],
  audit: { action: 'member_removed', details: ({ query }) => ({ tokens: query.tokens ?? null }) },
});

export const leaveWorkspace = endpoint('leaveWorkspace', 'delete /v1/workspace/membership', {
  summary: 'Leave the workspace',
  description: 'Revokes the API tokens that you created in it. An owner who removes you can keep them.',
  scope: 'membership:write',
  answers: { 204: null },
  errors: ['not_found', 'last_owner'],
  audit: { action: 'member_left' },
});

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
      .refine((rows) => areDistinct(rows.map(({ group }) => group)), rule('unique:groups')),
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

export const setGroupRoles = endpoint('setGroupRoles', 'put /v1/workspace/group-roles', {
  summary: 'Replace the roles of groups',
  description:
    'At each single sign-on, a person with one of these groups at the provider becomes a member with the most powerful role of ' +
    'their groups. Without the group, this membership ends. Memberships that a person gave do not change. Groups never make owners. ' +
    'The operator lists the workspaces that can map groups.',
  scope: 'workspace:own',
  body: GroupRolesInputSchema,
  answers: { 200: GroupRolesSchema },
  errors: ['not_a_person', 'proof_required', 'groups_not_allowed'],
  audit: {
    action: 'workspace_changed',
    details: ({ body }) => ({ group_roles: body.data.map(({ group, role }) => `${group}=${role}`).join(', ') }),
  },
});
