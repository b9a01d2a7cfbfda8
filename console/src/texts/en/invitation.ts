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
