/** Scopes, and the roles of members that contain them: docs/roles.md prints this table. Imports only types. */
import type { MemberRole } from './constants.ts';

const ALL = ['owner', 'admin', 'developer', 'analyst', 'auditor'] as const;
const EDITORS = ['owner', 'admin', 'developer', 'analyst'] as const;
const DEVELOPERS = ['owner', 'admin', 'developer'] as const;
const ADMINS = ['owner', 'admin'] as const;
const AUDITORS = ['owner', 'admin', 'auditor'] as const;

/** What each scope allows, and the roles with the scope. `write` does not include `read`. */
export const SCOPE_TABLE = {
  'account:read': { roles: ALL, meaning: 'read and export your account and its logins, and list your workspaces' },
  'account:write': {
    roles: ALL,
    meaning: 'update the account, end logins, and delete the account (with its password)',
  },
  'membership:write': { roles: ALL, meaning: 'create, join and leave workspaces' },
  'assistants:read': { roles: ALL, meaning: 'read assistants' },
  'assistants:write': { roles: EDITORS, meaning: 'create, update and delete assistants' },
  'assistants:webhook': {
    roles: DEVELOPERS,
    meaning: 'set the webhooks of assistants, which receive all results (with `assistants:write`)',
  },
  'requests:write': { roles: EDITORS, meaning: 'submit conversations and receive their results' },
  'sessions:read': { roles: ALL, meaning: 'read sessions, transcripts and recordings' },
  'sessions:write': { roles: EDITORS, meaning: 'cancel, retry and reanalyze sessions, including batches' },
  'sessions:delete': { roles: DEVELOPERS, meaning: 'delete sessions (in batches with `sessions:write`)' },
  'webhooks:read': { roles: ALL, meaning: 'read deliveries and redeliveries' },
  'webhooks:write': { roles: DEVELOPERS, meaning: 'test webhooks, and retry, stop and redeliver deliveries' },
  'usage:read': { roles: ALL, meaning: 'read usage, costs and limits' },
  'audit:read': { roles: AUDITORS, meaning: 'read the audit trail' },
  'keys:read': { roles: [...DEVELOPERS, 'auditor'], meaning: 'list API tokens' },
  'keys:write': {
    roles: DEVELOPERS,
    meaning: 'create tokens with at most the own scopes, and roll and revoke any token',
  },
  'budget:write': { roles: ADMINS, meaning: 'change the monthly budget (with `account:write`)' },
  'members:read': { roles: ALL, meaning: 'read the workspace and its members' },
  'members:write': { roles: ADMINS, meaning: 'invite, change and remove members, up to the own role' },
  'workspace:write': { roles: ADMINS, meaning: 'change the name and the budget of the workspace' },
  'workspace:own': { roles: ['owner'], meaning: 'appoint and remove owners, and delete the workspace' },
} as const satisfies Record<string, { roles: readonly MemberRole[]; meaning: string }>;

export type Scope = keyof typeof SCOPE_TABLE;

export const SCOPES = Object.keys(SCOPE_TABLE) as Scope[];

/** Scopes of a person, which need no workspace. A token has them only if it acts for its creator. */
export const PERSONAL_SCOPES: readonly Scope[] = ['account:read', 'account:write', 'membership:write'];

/** Scopes that no token has: a token could otherwise raise its own rights. */
const PEOPLE_ONLY = /^(members|membership|workspace):/;

export const TOKEN_SCOPES = SCOPES.filter((scope) => !PEOPLE_ONLY.test(scope)) as [Scope, ...Scope[]];

/** Scopes that a token has only if they are listed: a stolen token could create others, or spend without limit. */
export const NAMED_SCOPES: readonly Scope[] = ['budget:write', 'keys:write'];

/** The scopes of a token without a list. */
export const DEFAULT_SCOPES: readonly Scope[] = TOKEN_SCOPES.filter((scope) => !NAMED_SCOPES.includes(scope));

export const hasRoleScope = (role: MemberRole, scope: Scope): boolean =>
  (SCOPE_TABLE[scope].roles as readonly MemberRole[]).includes(role);
