/** English texts of the settings, loaded with their pages. */
export const audit = {
  detail: 'Logins, tokens, webhooks, exports and deletions of the last year.',
  action: 'Event',
  anyAction: 'All events',
  at: 'Time',
  actor: 'By',
  address: 'IP address',
  object: 'Object',
  login: 'Login',
  none: 'No events yet',
};

export const tokens = {
  detail: 'Programs use the API with a token. Scopes limit what a token is allowed to do.',
  nameHint: 'Where the token is used.',
  createdAt: 'Created',
  rolledFrom: (prefix: string) => `rolled from ${prefix}`,
  byToken: (name: string) => `Token “${name}”`,
  access: 'Access',
  accesses: { full: 'Full access', read: 'Read only', custom: 'Selected scopes' },
  accessHints: {
    full: 'All scopes except budget:write and keys:write.',
    read: 'All scopes for reading.',
    custom: 'The token can only do what you select.',
  },
  scopes: 'Scopes',
  scopeCount: (count: number) => `${count} ${count === 1 ? 'scope' : 'scopes'}`,
  expiries: { '': 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year', custom: 'Custom' },
  days: 'Days until it expires',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeDetail:
    'Programs with this token, or with a token created by it, lose access immediately. This can’t be undone.',
  none: 'No API tokens yet',
  noneDetail: 'Create a token to submit conversations from a program.',
  created: 'Your new token',
  createdDetail: 'Copy the token now. It is shown only once.',
  copy: 'Copy token',
  left: 'left the workspace',
  roll: 'Roll',
  rollTitle: (name: string) => `Roll “${name}”?`,
  rollDetail: 'Creates a token with the same name and scopes. The old token keeps working until it expires.',
  overlap: 'Old token expires',
  overlaps: { '0': 'Immediately', '1': 'In one hour', '24': 'In one day', '168': 'In one week' },
};

export const accountData = {
  title: 'Your data',
  export: 'Export data',
  exportDetail:
    'A ZIP file with your profile, assistants, sessions, recordings, deliveries and tokens, without secrets.',
  delete: 'Delete account',
  deleteDetail: 'Deletes your account and all its data. This can’t be undone.',
  question: 'Delete your account?',
  consequences: [
    'Deleted immediately: logins, API tokens and assistants. Running sessions and pending deliveries stop.',
    'Deleted within minutes: sessions with their results, recordings and deliveries.',
    'Kept: the audit trail for one year, and monthly costs under an anonymous ID.',
    'Export your data first if you want to keep it.',
  ],
};

export const workspaceDetails = {
  signInDetail: 'What members need to open this workspace. API tokens are not affected.',
  signInHint: 'Your own login must meet the policy. Members can’t open the workspace until their login meets it.',
  leaveDetail:
    'You lose access immediately, and your API tokens of this workspace are revoked. Sessions and assistants stay in the workspace.',
  deleteDetail: 'Deletes the workspace with all its data, for all members. This can’t be undone.',
};
