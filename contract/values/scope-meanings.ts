/** What each scope allows. A file of its own, because the console loads it with one page. */
import type { Scope } from './scopes.ts';

export const SCOPE_MEANINGS: Record<Scope, string> = {
  'account:read': 'read and export your account and its logins, and list your workspaces',
  'account:write': 'update the account, end logins, and delete the account (with its password)',
  'membership:write': 'create, join and leave workspaces',
  'assistants:read': 'read assistants',
  'assistants:write': 'create, update and delete assistants',
  'assistants:webhook': 'set webhooks and alerts, which receive results (with `assistants:write`)',
  'requests:write': 'submit conversations and receive their results',
  'sessions:read': 'read sessions, transcripts and recordings',
  'sessions:own': 'read, by their IDs, the sessions that the token itself created',
  'sessions:reveal': 'read the originals of redacted conversations (with `sessions:read`)',
  'sessions:write': 'cancel, retry and reanalyze sessions, including batches',
  'sessions:delete': 'delete sessions (in batches with `sessions:write`)',
  'reviews:write': 'review sessions: store the right answers, and delete them',
  'webhooks:read': 'read deliveries',
  'webhooks:write': 'test webhooks, and retry, stop and redeliver deliveries (in batches with `sessions:write`)',
  'usage:read': 'read usage, costs and limits',
  'audit:read': 'read the audit trail',
  'keys:read': 'list API tokens',
  'keys:write': 'create API tokens with at most your own scopes, and roll and revoke all tokens',
  'budget:write': 'change the monthly budget (with `account:write`)',
  'members:read': 'read the workspace and its members',
  'members:write': 'invite, change and remove members up to your own role',
  'workspace:write': 'change the name and the budget of the workspace',
  'workspace:own': 'appoint and remove owners, and delete the workspace',
};
