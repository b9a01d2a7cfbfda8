/** English texts of members and invitations, loaded with their pages. */
export const members = {
  alone: 'Only you',
  aloneDetail: 'Members see all sessions of the workspace, no matter who submitted them.',
  role: 'Role',
  roleOf: (name: string) => `Role of ${name}`,
  signsIn: 'Signs in with',
  ways: { sso: 'single sign-on', second_factor: 'second factor', password: 'password' },
  joined: 'Joined',
  you: 'you',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeDetail: 'The person loses access immediately. Sessions and assistants stay.',
  tokens: (count: number) =>
    count === 1 ? 'The member created an API token:' : `The member created ${count} API tokens:`,
  ownTokens: (count: number) => `Your API tokens of this workspace: ${count}.`,
  lastUsed: 'last used:',
  tokenChoices: { keep: 'They keep working', revoke: 'Revoke them' },
  invite: 'Invite member',
  linkReady: 'Invitation link',
  linkDetail: (email: string) =>
    `Send this link to ${email}. It is shown only once, works once, and expires in 7 days.`,
  linkMailed: (email: string) => `This link was also sent to ${email}. It works once, and expires in 7 days.`,
  copyLink: 'Copy link',
  pending: 'Open invitations',
  newLink: 'New link',
};

export const invitation = {
  title: (workspace: string) => `Join ${workspace}`,
  detail: (inviter: string, role: string) => `${inviter} invited you. Your role will be ${role}.`,
  checking: 'Invitation',
  accept: 'Join workspace',
  loggedInAs: (email: string) => `You are logged in as ${email}.`,
  other: (invited: string, own: string) =>
    `This invitation is for ${invited}, and you are logged in as ${own}. Log out, and continue with the invited address.`,
  createAccount: 'Create account and join',
  gone: 'This invitation can’t be used',
  goneDetail: 'It expired, or was accepted or revoked. Ask for a new one.',
};

export const roleHints = {
  owner: 'Has all permissions. Manages owners and the sign-in policy, and can delete the workspace.',
  admin: 'Manages members, budget and all resources. Can’t manage owners or delete the workspace.',
  developer: 'Manages assistants, webhooks, sessions and API tokens.',
  analyst: 'Edits prompts, and submits and reanalyzes conversations. Can’t delete sessions or set webhooks.',
  auditor: 'Reads everything, including the audit trail. Changes nothing.',
};
