/** The scopes of API tokens: docs/decisions.md, "Scopes". Imports nothing. */

/** Scopes that a token has only if they are listed: a stolen token could create others, or spend without limit. */
export const NAMED_SCOPES: readonly Scope[] = ['budget:write', 'keys:write'];

/** What each scope allows. `write` does not include `read`. */
export const SCOPE_MEANINGS = {
  'account:read': 'read and export the account, its logins, usage and audit trail',
  'account:write': 'update the account, end logins, and delete the account (with its password)',
  'budget:write': 'change the monthly budget (together with account:write)',
  'keys:read': 'list API tokens',
  'keys:write': 'create tokens with at most its own scopes, and revoke any token',
  'assistants:read': 'read assistants',
  'assistants:write': 'create, update and delete assistants and their webhooks',
  'requests:write': 'submit conversations and receive their results',
  'sessions:read': 'read sessions, transcripts and recordings',
  'sessions:write': 'cancel, retry, reanalyze and delete sessions, including batches',
  'webhooks:read': 'read deliveries and redeliveries',
  'webhooks:write': 'test webhooks, and retry, stop and redeliver deliveries',
} as const;

export type Scope = keyof typeof SCOPE_MEANINGS;

export const SCOPES = Object.keys(SCOPE_MEANINGS) as [Scope, ...Scope[]];
