import { SCOPE_MEANINGS } from '../../../../contract/values/scope-meanings.ts';
import { TOKEN_SCOPES, type Scope } from '../../../../contract/values/scopes.ts';
export const tokens = {
  connect: {
    title: 'Connect a tool (MCP)',
    detail:
      'Add this to the configuration of a tool that supports the Model Context Protocol. A token that only reads is enough.',
    warning:
      'Conversations can contain instructions by strangers, which the model also reads. Check what the model does.',
  },
  create: 'Create token',
  lastUsed: 'Last used',
  expires: 'Expires',
  revoke: 'Revoke',
  /** Descriptions of the scopes in other languages. The English descriptions come from the API contract. */
  meanings: Object.fromEntries(TOKEN_SCOPES.map((scope) => [scope, SCOPE_MEANINGS[scope]])) as Partial<
    Record<Scope, string>
  >,
  detail: 'Programs use the API with a token. Scopes limit what a token is allowed to do.',
  nameHint: 'Where the token is used.',
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
  left: 'left the workspace',
  roll: 'Roll',
  rollTitle: (name: string) => `Roll “${name}”?`,
  rollDetail: 'Creates a token with the same name and scopes. The old token keeps working until it expires.',
  overlap: 'Old token expires',
  overlaps: { '0': 'Immediately', '1': 'In one hour', '24': 'In one day', '168': 'In one week' },
};
