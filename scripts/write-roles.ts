/** `npm run docs`: writes docs/roles.md. */
import { MEMBER_ROLES } from '../contract/values/constants.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { SCOPE_MEANINGS } from '../contract/values/scope-meanings.ts';
import { hasRoleScope, NAMED_SCOPES, SCOPES, TOKEN_SCOPES } from '../contract/values/scopes.ts';
import type { Scope } from '../contract/values/scopes.ts';
import { printFiles } from './print-files.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;

const tokenMay = (scope: Scope) => (!TOKEN_SCOPES.includes(scope) ? '–' : NAMED_SCOPES.includes(scope) ? 'named' : '✓');

const rows = SCOPES.map((scope) => {
  const operations = ENDPOINTS.filter((endpoint) => endpoint.scope === scope).map(({ operationId }) => operationId);
  const roles = MEMBER_ROLES.map((role) => (hasRoleScope(role, scope) ? '✓' : '–'));
  return row([`\`${scope}\``, SCOPE_MEANINGS[scope], operations.join(', '), ...roles, tokenMay(scope)]);
});

const page = `# Roles

What members of a workspace and API tokens are allowed to do. \`npm run docs\` writes this page from \`contract/values/scopes.ts\`, the rules that the
service enforces.

A role is a set of scopes, and every operation requires one scope. Without the scope, the response is 403 \`insufficient_scope\`. Nobody can
assign a role above their own. A token belongs to its workspace and has at most the scopes of its creator's role. \`named\`: tokens have the
scope only if it was listed when they were created.

Give each program only the scopes that it needs:

| Program | Scopes |
|---|---|
| Submits conversations and reads results | \`requests:write\`, \`sessions:read\` |
| Receives webhooks | none; to catch up, \`sessions:read\` or \`webhooks:read\` |
| Exports results, reports costs | \`sessions:read\`, \`usage:read\` |
| Reanalyzes; with \`webhooks:write\` also redelivers | \`sessions:read\`, \`sessions:write\` |

${row(['Scope', 'Allows', 'Operations', ...MEMBER_ROLES, 'token'])}${row(Array<string>(4 + MEMBER_ROLES.length).fill('---'))}${rows.join('')}`;

printFiles('npm run docs', { 'docs/roles.md': page });
