export const settings = {
  tokens: 'API tokens',
  account: 'Account',
  security: 'Security',
  audit: 'Audit trail',
};

export const workspaces = {
  address: 'API base URL',
  general: 'General',
  members: 'Members',
  switch: 'Switch workspace',
  filter: 'Find a workspace',
  create: 'New workspace',
  createDetail: 'A workspace has its own assistants, sessions, tokens and budget. You own the ones you create.',
  role: 'Your role',
  roles: { owner: 'Owner', admin: 'Admin', developer: 'Developer', analyst: 'Analyst', auditor: 'Auditor' },
  roleHints: {
    owner: 'Has all permissions. Manages owners and the sign-in policy, and can delete the workspace.',
    admin: 'Manages members, budget and all resources. Can’t manage owners or delete the workspace.',
    developer: 'Manages assistants, webhooks, sessions and API tokens.',
    analyst: 'Edits prompts, and submits and reanalyzes conversations. Can’t delete sessions or set webhooks.',
    auditor: 'Reads everything, including the audit trail. Changes nothing.',
  },
  signIn: 'Sign-in',
  signInPolicies: { any: 'Any login', second_factor: 'Second factor', sso: 'Single sign-on' },
  leave: 'Leave workspace',
  leaveTitle: (name: string) => `Leave “${name}”?`,
  delete: 'Delete workspace',
  outside: 'You are not a member of this workspace',
  outsideDetail: 'Your membership ended, the workspace was deleted, or the address is wrong.',
  nowhere: 'You are not a member of a workspace',
  nowhereDetail: 'Create one, or ask a colleague for an invitation.',
  open: (name: string) => `Open ${name}`,
  forbidden: 'Your role can’t open this page',
  forbiddenDetail: (role: string, roles: string) =>
    `Your role in this workspace is ${role}. Roles that can open this page: ${roles}.`,
  signInDetail: 'What members need to open this workspace. API tokens are not affected.',
  signInHint: 'Your own login must meet the policy. Members can’t open the workspace until their login meets it.',
  leaveDetail:
    'You lose access immediately, and your API tokens of this workspace are revoked. Sessions and assistants stay in the workspace.',
  deleteDetail: 'Deletes the workspace with all its data, for all members. This can’t be undone.',
};
