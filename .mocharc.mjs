/** How the tests run: those of the files on the command line, or else all. */
import { globSync, readFileSync } from 'node:fs';

const areNamed = process.argv.slice(2).some((argument) => argument.endsWith('.test.ts'));

const all = globSync('test/**/*.test.ts').sort();
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
  require: 'test/support/hooks.ts',
  parallel: true,
  // More than twice as many as the cores of a small machine, because a test waits half of its time.
  jobs: 5,
  // Fewer collections: of short-lived objects, and of all others. In MiB.
  'node-option': ['min-semi-space-size=64', 'initial-old-space-size=512'],
  timeout: 60_000,
  slow: 1_000,
  forbidOnly: true,
  exit: true,
  ...(!areNamed && { spec: inOrder }),
};
