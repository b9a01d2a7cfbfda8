/** What an API token may be limited to: docs/decisions.md, "Scopes". Free of imports. */

/** Each scope with what it lets a token do. `write` does not include `read`. */
export const SCOPE_MEANINGS = {
  'account:read': 'see the account, its logins, its usage and its audit trail, and export all of it',
  'account:write': 'change the account, end logins, delete the account with its password',
  'keys:read': 'list API tokens',
  'keys:write': 'make tokens with no more scopes than its own, and revoke any',
  'assistants:read': 'see assistants',
  'assistants:write': 'make, change and delete assistants, with their webhooks',
  'requests:write': 'submit conversations and get the results',
  'sessions:read': 'see sessions, transcripts and recordings',
  'sessions:write': 'cancel, retry, reanalyze and delete sessions, one or many',
  'webhooks:read': 'see deliveries and redeliveries',
  'webhooks:write': 'test webhooks, redeliver, and steer deliveries',
} as const;

export type Scope = keyof typeof SCOPE_MEANINGS;

export const SCOPES = Object.keys(SCOPE_MEANINGS) as [Scope, ...Scope[]];
