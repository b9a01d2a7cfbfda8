/** The workflows as one file for the worker's sandbox, built once and kept. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUNDLER = fileURLToPath(new URL('./bundle-workflows.ts', import.meta.url));
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;

/** Each copy of the project keeps its own, as its tools do: the code names files by their paths. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'workflow-bundles');

/** Everything that the bundler reads of this project; which of it workflows may import is in eslint.imports.js. */
const SOURCES = ['workflows', 'contract', 'worker/bundle-workflows.ts'];
const PACKAGES = ['@temporalio/worker', '@temporalio/workflow', '@temporalio/interceptors-opentelemetry'];

export interface WorkflowBundle {
  code: string;
}

export interface WorkflowBundleOptions {
  /** Whether the workflows take part in traces. */
  isTraced?: boolean;
  /** Directory of the bundles that were built before. */
  cache?: string;
  build?: typeof runBundler;
}

/**
 * Returns the bundle of the sources as they are now. It comes from the cache, or from the bundler, which takes seconds
 * and whose result is then kept where the cache can be written; the image has it in its cache.
 */
export async function loadWorkflowBundle(options: WorkflowBundleOptions = {}): Promise<WorkflowBundle> {
  const { isTraced = false, cache = CACHE, build = runBundler } = options;
  const kind = isTraced ? 'traced' : 'plain';
  const file = join(cache, `${kind}-${hashWorkflowSources()}.js`);
  const kept = readIfThere(file);
  if (kept !== undefined) return { code: kept };
  const code = await build(isTraced);
  keep(file, code, kind);
  return { code };
}

async function runBundler(isTraced: boolean): Promise<string> {
  const options = { maxBuffer: MAX_BUNDLE_BYTES };
  const { stdout } = await promisify(execFile)(process.execPath, [BUNDLER, ...(isTraced ? ['--traced'] : [])], options);
  return stdout;
}

/** Returns what changes whenever the bundle does: a hash of the sources at `root` and of the SDK's version. */
export function hashWorkflowSources(root = ROOT): string {
  const hash = createHash('sha256');
  const { resolve } = createRequire(import.meta.url);
  for (const name of PACKAGES) hash.update(readFileSync(resolve(`${name}/package.json`)));
  for (const path of SOURCES.flatMap((source) => listFiles(root, source))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Returns the paths of a file, or of all files in a folder, relative to `root` and in an order that stays. */
function listFiles(root: string, source: string): string[] {
  if (source.endsWith('.ts')) return [source];
  const names = readdirSync(join(root, source), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => `${source}/${name}`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Puts the bundle into the cache in one step, so that other processes find all of it or nothing, and removes those of
 * older sources. A cache that can't be read or written costs a start its seconds and nothing more.
 */
function keep(file: string, code: string, kind: string): void {
  const unfinished = `${file}.${process.pid}`;
  const directory = dirname(file);
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
    const older = readdirSync(directory).filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.js'));
    for (const name of older) if (join(directory, name) !== file) rmSync(join(directory, name), { force: true });
  } catch {
    try {
      rmSync(unfinished, { force: true });
    } catch {
      // Not there either.
    }
  }
}
