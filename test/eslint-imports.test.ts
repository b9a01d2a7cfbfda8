import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ESLint } from 'eslint';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Rules that say who may import and reach what. */
const RULES = new Set([
  'imports/rooms',
  'no-restricted-properties',
  'no-restricted-globals',
  'no-restricted-exports',
  'no-console',
]);

interface Case {
  file: string;
  code: string;
}

const at = (file: string, code: string): Case => ({ file, code: `${code}\n` });

/** Returns how `file` names a file of the project, or a package as it is. */
const named = (file: string, target: string) =>
  target.endsWith('.ts') ? `./${relative(dirname(file), target)}`.replace('./..', '..') : target;
const value = (file: string, target: string) =>
  at(file, `import { it } from '${named(file, target)}';\nexport const used = it;`);
const type = (file: string, target: string) =>
  at(file, `import type { It } from '${named(file, target)}';\nexport type Used = It;`);
const lazy = (file: string, target: string) => at(file, `export const load = () => import('${named(file, target)}');`);
const again = (file: string, target: string) => at(file, `export { it } from '${named(file, target)}';`);
const env = (file: string) => at(file, 'export const it = process.env;');

const CONTRACT = 'contract/assistants.ts';
const LOG = 'runtime/telemetry/log.ts';
const USER = 'db/models/user.ts';
const STEP = 'activities/sessions/run-step.ts';
const VENDOR = 'activities/vendors/llm/openai.ts';
const WORKFLOW = 'workflows/analyze-session.ts';
const ROUTE = 'api/routes/keys.ts';
const COMMAND = 'api/commands/submit-text.ts';
const PRESENTER = 'api/presenters/session.ts';

const ALLOWED: Case[] = [
  value(CONTRACT, 'zod'),
  value(CONTRACT, 'contract/fields.ts'),
  type('contract/workflows.ts', 'contract/sessions.ts'),
  value('runtime/temporal/start-session.ts', 'contract/constants.ts'),
  value(LOG, 'node:fs'),
  type(LOG, 'runtime/config.ts'),
  value('runtime/audio/s3-store.ts', '@aws-sdk/client-s3'),
  lazy('runtime/audio/s3-store.ts', '@aws-sdk/client-s3'),
  value('runtime/outbound/webhook-http.ts', 'undici'),
  value(USER, 'objection'),
  value(USER, 'contract/constants.ts'),
  value(USER, 'db/page.ts'),
  value(STEP, 'db/models/session.ts'),
  value(STEP, 'activities/vendors/vendor-error.ts'),
  value(VENDOR, 'openai'),
  value(VENDOR, 'openai/helpers/zod'),
  value(VENDOR, 'runtime/config.ts'),
  value(VENDOR, 'activities/vendors/vendor-error.ts'),
  value('activities/webhooks/post-webhook.ts', 'standardwebhooks'),
  value(WORKFLOW, '@temporalio/workflow'),
  value(WORKFLOW, 'contract/constants.ts'),
  value(WORKFLOW, 'workflows/deliver-webhook.ts'),
  type(WORKFLOW, 'activities/index.ts'),
  type(WORKFLOW, 'activities/sessions/end-session.ts'),
  type(WORKFLOW, 'contract/sessions.ts'),
  value('api/app.ts', 'koa'),
  value(ROUTE, 'db/models/api-key.ts'),
  value(ROUTE, 'api/commands/submit-text.ts'),
  value(ROUTE, 'api/presenters/api-key.ts'),
  value(ROUTE, 'api/http/handle.ts'),
  value(COMMAND, 'api/lookups/find-session.ts'),
  value(COMMAND, 'runtime/temporal/start-session.ts'),
  type(PRESENTER, 'db/models/session.ts'),
  value('api/answers/run-session.ts', 'api/http/handle.ts'),
  value('worker/start.ts', 'activities/index.ts'),
  value('worker/start.ts', '@temporalio/worker'),
  type('worker/start.ts', 'workflows/index.ts'),
  value('local/start.ts', 'api/start.ts'),
  ...['api/main.ts', 'worker/main.ts', 'local/main.ts'].map(env),
];

const FORBIDDEN: Case[] = [
  value('contract/constants.ts', 'zod'),
  value('contract/constants.ts', 'contract/fields.ts'),
  value('contract/workflows.ts', 'contract/constants.ts'),
  value(CONTRACT, 'node:fs'),
  type(CONTRACT, 'db/models/assistant.ts'),
  value(CONTRACT, 'runtime/config.ts'),
  type(LOG, 'db/connect.ts'),
  value(LOG, 'api/app.ts'),
  value(LOG, 'runtime/temporal/connect.ts'),
  value(LOG, 'undici'),
  value('runtime/config.ts', 'runtime/telemetry/log.ts'),
  value('runtime/outbound/webhook-http.ts', '@aws-sdk/client-s3'),
  lazy('runtime/outbound/webhook-http.ts', '@aws-sdk/client-s3'),
  value('runtime/audio/s3-store.ts', '@temporalio/client'),
  value(USER, 'api/app.ts'),
  type(USER, 'workflows/index.ts'),
  value(USER, 'db/queries/list-sessions.ts'),
  value(USER, 'test/support/factories.ts'),
  value(STEP, 'objection'),
  value(STEP, 'openai'),
  value(STEP, 'activities/sweeps/sweep-lost-sessions.ts'),
  type(STEP, 'api/app.ts'),
  value(STEP, '@temporalio/workflow'),
  value(VENDOR, 'activities/sessions/run-step.ts'),
  value('activities/webhooks/post-webhook.ts', '@anthropic-ai/sdk'),
  value(WORKFLOW, 'zod'),
  value(WORKFLOW, 'node:crypto'),
  type(WORKFLOW, 'db/models/session.ts'),
  value(WORKFLOW, 'activities/index.ts'),
  lazy(WORKFLOW, 'activities/index.ts'),
  again(WORKFLOW, 'activities/index.ts'),
  value(WORKFLOW, 'contract/sessions.ts'),
  value(WORKFLOW, '@temporalio/client'),
  at(WORKFLOW, 'export const it = process.version;'),
  at(WORKFLOW, "export const it = fetch('http://localhost');"),
  type(ROUTE, 'activities/index.ts'),
  value(ROUTE, 'workflows/index.ts'),
  value(ROUTE, 'worker/start.ts'),
  value(ROUTE, 'jsonwebtoken'),
  ...['openai', '@anthropic-ai/sdk', '@google/generative-ai', '@aws-sdk/client-s3'].map((sdk) => value(ROUTE, sdk)),
  type(COMMAND, 'api/http/handle.ts'),
  type(COMMAND, 'koa'),
  value(COMMAND, 'api/answers/run-session.ts'),
  value(COMMAND, 'api/presenters/session.ts'),
  value(PRESENTER, 'db/models/session.ts'),
  value(PRESENTER, 'db/queries/session-details.ts'),
  value('api/audio/audio-facts.ts', 'api/http/read-upload.ts'),
  type('worker/start.ts', 'api/app.ts'),
  value('worker/start.ts', 'local/start.ts'),
  ...[CONTRACT, LOG, 'db/connect.ts', STEP, 'api/app.ts', 'worker/start.ts'].map(env),
  at('api/app.ts', 'export default 1;'),
];

describe('The walls of the house', () => {
  const eslint = new ESLint({
    cwd: ROOT,
    ruleFilter: ({ ruleId }) => RULES.has(ruleId),
  });

  async function isRefused({ file, code }: Case): Promise<boolean> {
    const [result] = await eslint.lintText(code, { filePath: file });
    expect(result!.messages.filter(({ ruleId }) => ruleId === null)).to.deep.equal([]);
    return result!.messages.length > 0;
  }

  async function filter(cases: Case[], refused: boolean): Promise<string[]> {
    const judged = await Promise.all(cases.map(async (each) => ({ ...each, refused: await isRefused(each) })));
    return judged.filter((each) => each.refused === refused).map(({ file, code }) => `${file}: ${code}`);
  }

  it('let pass what a room may import and reach', async () => {
    expect(await filter(ALLOWED, true)).to.deep.equal([]);
  });

  it('stop what it may not', async () => {
    expect(await filter(FORBIDDEN, false)).to.deep.equal([]);
  });
});
