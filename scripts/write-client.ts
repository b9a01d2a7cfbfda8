/**
 * `npm run client`: generates the TypeScript client from docs/openapi.json and compiles it, unless it is current. Does nothing
 * in a production installation, which has no generator.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCurrent } from './is-current.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = join(ROOT, 'clients/typescript');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const SUBMIT = join(ROOT, 'clients/submit');
const RESULTS = join(ROOT, 'clients/results');
const COMMAND = join(ROOT, 'clients/command.ts');
const SOURCES = ['package.json', 'command.js', 'tsconfig.json', 'index.ts', 'calls', 'fields', 'uploads'].map((name) =>
  join(CLIENT, name),
);

type Operation = { operationId: string; requestBody?: { content: Record<string, unknown> } };
type Document = Record<string, unknown> & { paths: Record<string, Record<string, Operation>> };

/**
 * Returns the document with an operation of its own for the JSON body of `submitVoiceRequest`: the generator writes one body
 * per operation. Requests do not contain the fragment that makes the path unique.
 */
function splitBodies({ paths, ...document }: Document): Document {
  const path = '/v1/requests/voice';
  const form = structuredClone(paths[path]?.['post'] as Operation);
  const json = structuredClone({ ...form, operationId: 'submitVoiceRequestByUrl' });
  delete form.requestBody?.content['application/json'];
  delete json.requestBody?.content['multipart/form-data'];
  return { ...document, paths: { ...paths, [path]: { post: form }, [`${path}#url`]: { post: json } } };
}

/** Returns the document with the documented values of enumerations as types. TypeScript's types are not checked at run time. */
const closeEnums = (document: string) => document.replaceAll('"x-extensible-enum":', '"enum":');

async function generate(): Promise<void> {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: splitBodies(JSON.parse(closeEnums(readFileSync(DOCUMENT, 'utf8'))) as Document),
    output: { path: join(CLIENT, 'src'), module: { extension: '.ts' } },
    plugins: [
      '@hey-api/typescript',
      '@hey-api/sdk',
      { name: '@hey-api/client-fetch', baseUrl: false, includeInEntry: true, throwOnError: true },
      '@tanstack/react-query',
    ],
    logs: { level: 'silent', file: false },
  });
}

/** Bundles the commands, which import files outside the package. */
async function bundle(): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    ssr: { noExternal: true, external: ['conversation-analysis-client', 'conversation-analysis-client/uploads'] },
    build: {
      ssr: true,
      outDir: join(CLIENT, 'dist'),
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { input: { submit: join(SUBMIT, 'main.ts'), results: join(RESULTS, 'main.ts') } },
    },
  });
}

function compile(): void {
  rmSync(join(CLIENT, 'dist'), { recursive: true, force: true });
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', CLIENT], { stdio: 'inherit' });
}

const hasGenerator = existsSync(join(ROOT, 'node_modules/@hey-api/openapi-ts'));
const ownFiles = [fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json')];
const isBuilt = isCurrent(join(CLIENT, 'dist/index.js'), [DOCUMENT, ...SOURCES, SUBMIT, RESULTS, COMMAND, ...ownFiles]);
if (hasGenerator && !isBuilt) {
  await generate();
  compile();
  await bundle();
}
