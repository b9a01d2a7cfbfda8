import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ESLint } from 'eslint';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Rules that say who may import and reach what. The others need types, and so files that exist. */
const RULES = new Set([
  '@typescript-eslint/no-restricted-imports',
  'no-restricted-properties',
  'no-restricted-globals',
  'no-restricted-exports',
  'no-console',
]);

interface Case {
  file: string;
  code: string;
}

const at = (file: string, code: string): Case => ({ file, code });
const value = (file: string, source: string) => at(file, `import { it } from '${source}';\nexport const used = it;\n`);
const type = (file: string, source: string) =>
  at(file, `import type { It } from '${source}';\nexport type Used = It;\n`);

const ALLOWED: Case[] = [
  value('contract/assistants.ts', 'zod'),
  value('contract/assistants.ts', './fields.ts'),
  value('runtime/telemetry/log.ts', '../contract/constants.ts'),
  value('runtime/telemetry/log.ts', 'node:fs'),
  value('db/models/user.ts', 'objection'),
  value('db/models/user.ts', '../../contract/constants.ts'),
  value('db/models/user.ts', '../page.ts'),
  value('activities/sessions/run-step.ts', '../db/models/session.ts'),
  value('activities/vendors/llm/openai.ts', 'openai'),
  value('activities/vendors/llm/openai.ts', '../../runtime/config.ts'),
  value('activities/vendors/llm/openai.ts', '../vendor-error.ts'),
  value('workflows/analyze-session.ts', '@temporalio/workflow'),
  value('workflows/analyze-session.ts', '@temporalio/common'),
  value('workflows/analyze-session.ts', '../contract/constants.ts'),
  value('workflows/analyze-session.ts', './deliver-webhook.ts'),
  type('activities/sessions/run-step.ts', 'objection'),
  type('workflows/analyze-session.ts', '../activities/index.ts'),
  type('workflows/analyze-session.ts', '../contract/sessions.ts'),
  value('api/app.ts', 'koa'),
  value('api/routes/keys.ts', '../../db/models/api-key.ts'),
  value('api/routes/keys.ts', '../../runtime/config.ts'),
  type('api/routes/keys.ts', '../../workflows/index.ts'),
  value('worker/start.ts', '../activities/index.ts'),
  value('worker/start.ts', '@temporalio/worker'),
  type('worker/start.ts', '../workflows/index.ts'),
  value('local/start.ts', '../api/start.ts'),
  value('local/start.ts', '../worker/start.ts'),
  at('api/main.ts', 'export const it = process.env;\n'),
  at('worker/main.ts', 'export const it = process.env;\n'),
  at('local/main.ts', 'export const it = process.env;\n'),
];

const FORBIDDEN: Case[] = [
  value('contract/constants.ts', 'zod'),
  value('contract/constants.ts', './fields.ts'),
  value('contract/workflows.ts', 'zod'),
  value('contract/assistants.ts', 'node:fs'),
  value('contract/assistants.ts', '../db/models/assistant.ts'),
  type('contract/assistants.ts', '../db/models/assistant.ts'),
  value('contract/assistants.ts', '../runtime/config.ts'),
  value('runtime/telemetry/log.ts', '../db/connect.ts'),
  type('runtime/telemetry/log.ts', '../db/connect.ts'),
  value('runtime/telemetry/log.ts', '../api/app.ts'),
  value('runtime/telemetry/log.ts', '../activities/index.ts'),
  value('runtime/telemetry/log.ts', 'koa'),
  value('db/models/user.ts', '../../api/app.ts'),
  value('db/models/user.ts', '../../activities/index.ts'),
  type('db/models/user.ts', '../../workflows/index.ts'),
  value('db/models/user.ts', 'koa'),
  value('activities/sessions/run-step.ts', 'objection'),
  value('activities/sessions/run-step.ts', '../api/app.ts'),
  type('activities/sessions/run-step.ts', '../api/app.ts'),
  value('activities/sessions/run-step.ts', '../workflows/index.ts'),
  value('activities/sessions/run-step.ts', '@temporalio/workflow'),
  value('workflows/analyze-session.ts', 'zod'),
  value('workflows/analyze-session.ts', 'node:crypto'),
  value('workflows/analyze-session.ts', '../db/models/session.ts'),
  type('workflows/analyze-session.ts', '../db/models/session.ts'),
  value('workflows/analyze-session.ts', '../runtime/config.ts'),
  value('workflows/analyze-session.ts', '../activities/index.ts'),
  value('workflows/analyze-session.ts', '../contract/sessions.ts'),
  value('workflows/analyze-session.ts', '@temporalio/client'),
  value('workflows/analyze-session.ts', '../api/app.ts'),
  at('workflows/analyze-session.ts', 'export const it = process.version;\n'),
  at('workflows/analyze-session.ts', "export const it = fetch('http://localhost');\n"),
  value('api/routes/keys.ts', '../../activities/index.ts'),
  type('api/routes/keys.ts', '../../activities/index.ts'),
  value('api/routes/keys.ts', '../../workflows/index.ts'),
  value('api/routes/keys.ts', '../../worker/start.ts'),
  value('api/routes/keys.ts', 'openai'),
  value('api/routes/keys.ts', '@anthropic-ai/sdk'),
  value('api/routes/keys.ts', '@google/generative-ai'),
  value('worker/start.ts', '../api/app.ts'),
  value('worker/start.ts', '../local/start.ts'),
  type('worker/start.ts', '../api/app.ts'),
  value('db/models/user.ts', '../../test/support/factories.ts'),
  ...[
    'contract/assistants.ts',
    'runtime/telemetry/log.ts',
    'db/connect.ts',
    'activities/sessions/run-step.ts',
    'api/app.ts',
    'worker/start.ts',
  ].map((file) => at(file, 'export const it = process.env;\n')),
  at('api/app.ts', 'export default 1;\n'),
];

describe('the lint', () => {
  const eslint = new ESLint({
    cwd: ROOT,
    ruleFilter: ({ ruleId }) => RULES.has(ruleId),
    // None of these rules needs types, and the sources of these tests are in no project.
    overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } },
  });

  async function findErrors({ file, code }: Case): Promise<string[]> {
    const [result] = await eslint.lintText(code, { filePath: file });
    return result!.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  }

  const describeCase = ({ file, code }: Case) => `${file}: ${code.split('\n')[0]}`;

  describe('lets pass', () => {
    for (const each of ALLOWED) {
      it(describeCase(each), async () => expect(await findErrors(each)).to.deep.equal([]));
    }
  });

  describe('refuses', () => {
    for (const each of FORBIDDEN) {
      it(describeCase(each), async () => {
        const errors = await findErrors(each);
        expect(errors).not.to.be.empty;
        expect(errors.join('\n')).to.match(/no-restricted/);
      });
    }
  });
});
