export const members = {
  detail: 'Members see all sessions of the workspace, no matter who submitted them.',
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
  pending: 'Open invitations',
  newLink: 'New link',
};
