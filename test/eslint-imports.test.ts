import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Lines that lint must allow or refuse in a file. `~` stands for the project's folder. */
interface Case {
  file: string;
  allowed: string[];
  refused: string[];
}

const CASES: Case[] = [
  {
    file: 'contract/assistants/assistants.ts',
    allowed: [`import { z } from 'zod';`, `import { a } from '~contract/values/fields.ts';`],
    refused: [`import { b } from 'node:fs';`, `import type { C } from '~db/models/assistant.ts';`, 'process.env;'],
  },
  {
    file: 'db/models/user.ts', // a room's values and types, packages by name, and the time of the process
    allowed: [`import { Model } from 'objection';`, `import type { Knex } from 'knex';`, 'new Date(0);'],
    refused: [`import { knex } from 'knex';`, `import { a } from '~db/queries/list-sessions.ts';`, 'new Date();'],
  },
  {
    file: 'activities/providers/llm/openai.ts', // a package's subfolder, and a single file's own entry
    allowed: [`import { a } from 'openai/helpers/zod';`, `import { b } from '~runtime/prices/call-usage.ts';`],
    refused: [`import { c } from '~activities/sessions/run-step.ts';`],
  },
  {
    file: 'workflows/analyze-session.ts', // type-only, lazy and repeated exports, and globals
    allowed: [`import type { A } from '~activities/index.ts';`, `import { b } from '@temporalio/workflow';`],
    refused: [
      `import { c } from '~activities/index.ts';`,
      `export const d = () => import('~activities/index.ts');`,
      `export { e } from '~activities/index.ts';`,
      `fetch('http://localhost');`,
      `export const f = { versioningBehavior: 'PINNED' };`,
    ],
  },
  {
    file: 'console/src/pages/usage/usage-page.tsx',
    allowed: [`import { a } from 'conversation-analysis-client/react-query';`],
    refused: [
      `import { b } from 'undici';`,
      `import { c } from '~contract/assistants/assistants.ts';`,
      'export default 1;',
    ],
  },
  {
    file: 'console/src/server/login.ts', // folders in layers, also for lazy imports
    allowed: [`import { a } from '~console/src/texts/index.ts';`],
    refused: [
      `import { b } from '~console/src/components/toasts.tsx';`,
      `export const c = () => import('~console/src/pages/usage/usage-page.tsx');`,
    ],
  },
  { file: 'api/main.ts', allowed: ['process.env;'], refused: [`console.log('');`] },
];

/** Runs the project's lint without rules that need types. Returns the numbers of the refused lines by file. */
async function lint(root: string): Promise<Map<string, Set<number>>> {
  for (const file of ['.oxlintrc.jsonc', 'eslint.imports.js']) await cp(join(ROOT, file), join(root, file));
  const config = join(root, 'without-types.json');
  await writeFile(config, JSON.stringify({ extends: ['./.oxlintrc.jsonc'] }));
  for (const { file, allowed, refused } of CASES) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    const up = relative(dirname(file), '.');
    await writeFile(join(root, file), [...allowed, ...refused].join('\n').replaceAll("'~", `'${up}/`));
  }
  const args = ['--config', config, '--format', 'json', '.'];
  const output = await new Promise<string>((resolve) => {
    execFile(join(ROOT, 'node_modules/.bin/oxlint'), args, { cwd: root }, (_, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { filename: string; code?: string; labels: { span: { line: number } }[] }[];
  };
  const found = diagnostics.filter(({ code = '' }) => /^imports|no-restricted|no-console/.test(code));
  const lines = Map.groupBy(found, ({ filename }) => filename);
  return new Map([...lines].map(([file, each]) => [file, new Set(each.map(({ labels }) => labels[0]!.span.line))]));
}

describe('eslint.imports.js', () => {
  let root: string;
  let refusedLines: Map<string, Set<number>>;
  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'cas-imports-')));
    refusedLines = await lint(root);
  });
  after(() => rm(root, { recursive: true, force: true }));

  for (const { file, allowed, refused } of CASES) {
    it(`allows and refuses imports and globals in ${file}`, () => {
      const expected = refused.map((_, index) => allowed.length + index + 1);
      expect([...(refusedLines.get(file) ?? [])].sort()).to.deep.equal(expected);
    });
  }
});
