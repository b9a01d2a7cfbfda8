/** `npm run docs`: writes docs/roles.md. */
import { MEMBER_ROLES } from '../contract/values/constants.ts';
import { SCOPE_MEANINGS } from '../contract/values/scope-meanings.ts';
import { hasRoleScope, NAMED_SCOPES, SCOPES, TOKEN_SCOPES, type Scope } from '../contract/values/scopes.ts';
import { printFiles } from './print-files.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;

const tokenMay = (scope: Scope) => (!TOKEN_SCOPES.includes(scope) ? '–' : NAMED_SCOPES.includes(scope) ? 'named' : '✓');

function rolesWith(scope: Scope): string {
  const without = MEMBER_ROLES.filter((role) => !hasRoleScope(role, scope));
  if (without.length === 0) return 'all';
  if (without.length === 1) return `all but ${without.join()}`;
  return MEMBER_ROLES.filter((role) => hasRoleScope(role, scope)).join(', ');
}

const rows = SCOPES.map((scope) => row([`\`${scope}\``, SCOPE_MEANINGS[scope], rolesWith(scope), tokenMay(scope)]));

const page = `# Roles

What members of a workspace and API tokens are allowed to do. \`npm run docs\` writes this page from \`contract/values/scopes.ts\`.

A role (${MEMBER_ROLES.join(', ')}) is a set of scopes, and every operation requires the one that OpenAPI names. Without it, the response is 403
\`insufficient_scope\`. Nobody can assign a role above their own. A token belongs to its workspace and has at most the scopes of its creator's role. \`named\`: tokens have the
scope only if it was listed when they were created. A reviewer can't export or share sessions, but can copy what the console shows.

Give each program only the scopes that it needs:

| Program | Scopes |
|---|---|
| Submits conversations and reads results | \`requests:write\`, \`sessions:read\` |
| Browser page that submits and shows its own results: a token for each visitor, which expires and shares the workspace's budget | \`requests:write\`, \`sessions:own\` |
| Agent that reads (MCP) | \`assistants:read\`, \`sessions:read\` |
| Receives webhooks | none; to catch up, \`sessions:read\` or \`webhooks:read\` |
| Exports results, reports costs | \`sessions:export\`, \`usage:read\` |
| Reanalyzes; with \`webhooks:write\` also redelivers | \`sessions:read\`, \`sessions:write\` |

${row(['Scope', 'Allows', 'Roles', 'Tokens'])}${row(Array<string>(4).fill('---'))}${rows.join('')}`;

printFiles('npm run docs', { 'docs/roles.md': page });
