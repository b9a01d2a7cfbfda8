/** The bundle of the workflows for the worker's sandbox, built once and cached. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUNDLER = fileURLToPath(new URL('./bundle-workflows.ts', import.meta.url));
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;

/** Each checkout has its own cache, because the bundle contains file paths. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'workflow-bundles');

/** All files of this project that the bundler may read: see .dependency-cruiser.js. */
const SOURCES = ['workflows', 'contract', 'worker/bundle-workflows.ts'];
const PACKAGES = ['@temporalio/worker', '@temporalio/workflow', '@temporalio/interceptors-opentelemetry-v2'];

/** Returns the bundle of the current sources from the cache, or builds it in seconds and caches it. The image contains it. */
export async function loadWorkflowBundle({ isTraced = false } = {}): Promise<{ code: string }> {
  const kind = isTraced ? 'traced' : 'plain';
  const file = join(CACHE, `${kind}-${hashWorkflowSources()}.js`);
  if (existsSync(file)) return { code: readFileSync(file, 'utf8') };
  const code = await runBundler(isTraced);
  writeCache(file, code, kind);
  return { code };
}

async function runBundler(isTraced: boolean): Promise<string> {
  const options = { maxBuffer: MAX_BUNDLE_BYTES };
  const { stdout } = await promisify(execFile)(process.execPath, [BUNDLER, ...(isTraced ? ['--traced'] : [])], options);
  return stdout;
}

/** Returns a hash of the sources at `root` and of the SDK's version. */
export function hashWorkflowSources(root = ROOT): string {
  const hash = createHash('sha256');
  const { resolve } = createRequire(import.meta.url);
  for (const name of PACKAGES) hash.update(readFileSync(resolve(`${name}/package.json`)));
  for (const path of SOURCES.flatMap((source) => listFiles(root, source))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Returns the sorted paths of a file, or of all files in a folder, relative to `root`. */
function listFiles(root: string, source: string): string[] {
  if (source.endsWith('.ts')) return [source];
  const names = readdirSync(join(root, source), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => `${source}/${name}`);
}

/** Writes the bundle to the cache in one step and removes those of older sources. Ignores a cache that can't be written. */
function writeCache(file: string, code: string, kind: string): void {
  const unfinished = `${file}.${process.pid}`;
  const directory = dirname(file);
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
    const older = readdirSync(directory).filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.js'));
    for (const name of older) if (join(directory, name) !== file) rmSync(join(directory, name), { force: true });
  } catch {
    // The next start builds the bundle again.
  }
}
