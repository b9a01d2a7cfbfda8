/**
 * How the tests run: those of the files on the command line, or else all. Unit tests (`*.unit.test.ts`) test pure functions:
 * alone, they run without the hooks, thus without PostgreSQL, Temporal and the workflow bundle.
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const named = process.argv.slice(2).filter((argument) => argument.endsWith('.test.ts'));
const isUnit = (file) => file.endsWith('.unit.test.ts');
const areUnit = named.length > 0 && named.every(isUnit);

// Compiled code saves a third of the processor time of a start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

const all = globSync('test/**/*.test.ts')
  .filter((file) => !isUnit(file))
  .sort();
const isIn = (folders) => (file) => folders.some((folder) => file.startsWith(`test/${folder}/`));
const sharesService = (file) => /\b(useSharedService|visitEachTest)\(/.test(readFileSync(file, 'utf8'));

/** Puts lists together so that the entries of each are spread evenly over the whole. */
const spread = (...lists) =>
  lists
    .flatMap((list) => list.map((file, index) => ({ file, place: (index + 0.5) / list.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file);

const sharing = all.filter(sharesService);
const own = all.filter((file) => !sharesService(file));

/** Tests that mostly wait, for as long as a minute. Those that take longest are not the last. */
const waiting = spread(
  own.filter(isIn(['e2e'])).toReversed(),
  own.filter((file) => file.includes('outage')),
);

const others = own.filter((file) => !waiting.includes(file));

/**
 * Tests that load the processor always run beside tests that wait. Those that share a service come last, so that each process
 * starts it once for all that follow one another.
 */
const inOrder = spread(waiting, [
  ...spread(
    others.filter(isIn(['api', 'console'])),
    others.filter((file) => !isIn(['api', 'console'])(file)),
  ),
  ...spread(
    sharing.filter(isIn(['console'])),
    sharing.filter((file) => !isIn(['console'])(file)),
  ),
]);

export default {
  // `expect` is a global, as `describe` and `it` are.
  require: ['chai/register-expect.js', ...(areUnit ? [] : ['test/support/hooks.ts'])],
  parallel: true,
  // More than twice as many as the cores of a small machine, because a test waits half of its time. Unit tests never wait.
  jobs: areUnit ? availableParallelism() : 5,
  // Fewer collections: of short-lived objects, and of all others. In MiB.
  'node-option': ['min-semi-space-size=64', 'initial-old-space-size=512'],
  timeout: 180_000,
  slow: 1_000,
  forbidOnly: true,
  exit: true,
  ...(named.length === 0 && { spec: inOrder }),
};
