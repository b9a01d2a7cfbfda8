import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Rules that say who may import and reach what, as the lint names them. */
const RULES = new Set([
  'imports(rooms)',
  'imports(no-versioning-behavior)',
  'eslint(no-restricted-properties)',
  'eslint(no-restricted-globals)',
  'eslint(no-restricted-exports)',
  'eslint(no-console)',
]);

/** One line of a file. */
interface Case {
  file: string;
  /** `$` is the number of the line, so that no line declares a name of another one. */
  code: string;
}

const at = (file: string, code: string): Case => ({ file, code });

/** Returns how `file` names a file of the project, or a package as it is. */
const named = (file: string, target: string) =>
  target.endsWith('.ts') ? `./${relative(dirname(file), target)}`.replace('./..', '..') : target;
const value = (file: string, target: string) => at(file, `import { it as it$ } from '${named(file, target)}';`);
const type = (file: string, target: string) => at(file, `import type { It as It$ } from '${named(file, target)}';`);
const lazy = (file: string, target: string) => at(file, `export const load$ = () => import('${named(file, target)}');`);
const again = (file: string, target: string) => at(file, `export { it as it$ } from '${named(file, target)}';`);
const env = (file: string) => at(file, 'export const it$ = process.env;');

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
  at(WORKFLOW, 'export const it$ = process.version;'),
  at(WORKFLOW, "export const it$ = fetch('http://localhost');"),
  at(WORKFLOW, "export const it$ = { versioningBehavior: 'PINNED' };"),
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

interface Finding {
  filename: string;
  /** The rule; none where the file could not be read as TypeScript. */
  code?: string;
  labels: { span: { line: number } }[];
}

/**
 * Returns what the project's lint finds in a copy of its rooms that holds only the cases, less the rules that need types.
 * Its own process is the only way to ask it.
 */
async function lint(root: string, cases: Case[]): Promise<Finding[]> {
  for (const file of ['.oxlintrc.jsonc', 'eslint.imports.js']) await cp(join(ROOT, file), join(root, file));
  const config = join(root, 'without-types.json');
  await writeFile(config, JSON.stringify({ extends: ['./.oxlintrc.jsonc'] }));
  for (const [file, lines] of Map.groupBy(cases, (each) => each.file)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    const text = lines.map(({ code }, index) => code.replaceAll('$', String(index + 1))).join('\n');
    await writeFile(join(root, file), `${text}\n`);
  }
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    execFile(oxlint, ['--config', config, '--format', 'json', '.'], { cwd: root }, (_, stdout) => resolve(stdout));
  });
  return (JSON.parse(output) as { diagnostics: Finding[] }).diagnostics;
}

describe('The walls of the house', () => {
  let root: string;
  let findings: Finding[];

  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'cas-walls-')));
    findings = await lint(root, [...ALLOWED, ...FORBIDDEN]);
  });

  after(async () => rm(root, { recursive: true, force: true }));

  /** Returns the cases that the lint refuses. */
  function refused(): Set<Case> {
    const all = Map.groupBy([...ALLOWED, ...FORBIDDEN], ({ file }) => file);
    const walls = findings.filter(({ code }) => code !== undefined && RULES.has(code));
    return new Set(walls.flatMap(({ filename, labels }) => all.get(filename)?.[labels[0]!.span.line - 1] ?? []));
  }

  const show = ({ file, code }: Case) => `${file}: ${code}`;

  it('are looked at in each file', () => {
    expect(findings.filter(({ code }) => code === undefined)).to.deep.equal([]);
  });

  it('let pass what a room may import and reach', () => {
    expect(ALLOWED.filter((each) => refused().has(each)).map(show)).to.deep.equal([]);
  });

  it('stop what it may not', () => {
    expect(FORBIDDEN.filter((each) => !refused().has(each)).map(show)).to.deep.equal([]);
  });
});
