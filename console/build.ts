/**
 * `npm run build`: builds the console into console/dist, if what it is built of has changed. Starts and tests run it
 * first. Two builds at once are harmless: each goes into a folder of its own, and files take their place by renaming.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'console/dist');
/** Holds the hash of what `DIST` was built of. */
const STAMP = join(DIST, '.built-of');

const SOURCES = [
  'console/{index.html,vite.config.ts,chunks.ts,build.ts}',
  'console/{src,public}/**/*.*',
  'clients/typescript/src/**/*.ts',
  'contract/{constants,providers}.ts',
  'package-lock.json',
];

/** Open tabs may still ask for the files of an earlier build. */
const KEEP_OLD_FILES_MS = 7 * 24 * 3_600_000;

function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

const isBuiltOf = (hash: string) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;

async function buildInto(directory: string): Promise<void> {
  const [{ build }, { default: config }] = await Promise.all([import('vite'), import('./vite.config.ts')]);
  await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.build, outDir: directory, emptyOutDir: true },
  });
}

/** Below this the answer's own headers weigh more than compression saves. */
const MIN_COMPRESSED_BYTES = 1_000;

/** Writes a `.br` and a `.gz` beside each file, so that serving compresses nothing. */
async function compressFiles(directory: string): Promise<void> {
  for (const file of globSync('**/*.{html,js,css,svg}', { cwd: directory })) {
    const path = join(directory, file);
    const source = readFileSync(path);
    if (source.length < MIN_COMPRESSED_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: source.length };
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(source, { params }),
      promisify(gzip)(source, { level: 9 }),
    ]);
    writeFileSync(`${path}.br`, br);
    writeFileSync(`${path}.gz`, gz);
  }
}

const COMPRESSED_FORMS = ['br', 'gz'];

/** The page last, after its compressed forms: whoever reads it finds the files that it names. */
function moveToDist(directory: string): void {
  const files = globSync('**/*.*', { cwd: directory }).filter((file) => statSync(join(directory, file)).isFile());
  const isPage = (file: string) => file.startsWith('index.html');
  for (const file of [...files.filter((each) => !isPage(each)), ...files.filter(isPage).toSorted().toReversed()]) {
    mkdirSync(dirname(join(DIST, file)), { recursive: true });
    renameSync(join(directory, file), join(DIST, file));
  }
  // What was large enough to be compressed before may be too small now; served would be the former.
  for (const file of files)
    for (const form of COMPRESSED_FORMS)
      if (!files.includes(`${file}.${form}`)) rmSync(join(DIST, `${file}.${form}`), { force: true });
}

function removeOldFiles(): void {
  const assets = join(DIST, 'assets');
  for (const file of globSync('*', { cwd: assets })) {
    const path = join(assets, file);
    if (Date.now() - statSync(path).mtimeMs > KEEP_OLD_FILES_MS) rmSync(path, { force: true });
  }
}

/** A production install has no build tools: it serves what was built before, or says at `/console` that nothing was. */
function hasBuildTools(): boolean {
  return existsSync(join(ROOT, 'node_modules/vite/package.json'));
}

const hash = hashSources();
if (!isBuiltOf(hash)) {
  if (hasBuildTools()) {
    console.log('Console: building …');
    const started = performance.now();
    const directory = join(ROOT, `console/dist/.building-${process.pid}`);
    try {
      await buildInto(directory);
      await compressFiles(directory);
      moveToDist(directory);
      writeFileSync(`${directory}/stamp`, hash);
      renameSync(`${directory}/stamp`, STAMP);
      removeOldFiles();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
    console.log(`Console: built in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);
  } else if (!existsSync(join(DIST, 'index.html'))) {
    console.log('Console: not built, since the development dependencies are not installed. All else works.');
  }
}
