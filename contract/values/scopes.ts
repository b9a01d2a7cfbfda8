/** Scopes, and the roles of members that contain them: docs/roles.md prints this table. Imports only types. */
import type { MemberRole } from './constants.ts';

const ALL = ['owner', 'admin', 'developer', 'analyst', 'reviewer', 'auditor'] as const;
const READERS = ['owner', 'admin', 'developer', 'analyst', 'auditor'] as const;
const EDITORS = ['owner', 'admin', 'developer', 'analyst'] as const;
const DEVELOPERS = ['owner', 'admin', 'developer'] as const;
const ADMINS = ['owner', 'admin'] as const;
const AUDITORS = ['owner', 'admin', 'auditor'] as const;

/** The roles with each scope. `write` does not include `read`. */
const SCOPE_ROLES = {
  'account:read': ALL,
  'account:write': ALL,
  'membership:write': ALL,
  'assistants:read': ALL,
  'assistants:write': EDITORS,
  'assistants:webhook': DEVELOPERS,
  'requests:write': EDITORS,
  'sessions:read': ALL,
  'sessions:export': READERS,
  'sessions:own': READERS,
  'sessions:reveal': ADMINS,
  'sessions:write': EDITORS,
  'sessions:delete': DEVELOPERS,
  'reviews:write': [...EDITORS, 'reviewer'],
  'webhooks:read': READERS,
  'webhooks:write': DEVELOPERS,
  'usage:read': READERS,
  'audit:read': AUDITORS,
  'keys:read': [...DEVELOPERS, 'auditor'],
  'keys:write': DEVELOPERS,
  'budget:write': ADMINS,
  'members:read': ALL,
  'members:write': ADMINS,
  'workspace:write': ADMINS,
  'workspace:own': ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>;

export type Scope = keyof typeof SCOPE_ROLES;

export const SCOPES = Object.keys(SCOPE_ROLES) as Scope[];

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
  (SCOPE_ROLES[scope] as readonly MemberRole[]).includes(role);
