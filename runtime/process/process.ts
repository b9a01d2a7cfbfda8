/** Starts and stops every process of the service. */
import { readFileSync } from 'node:fs';
import { setDefaultAutoSelectFamily, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { EVERY_ADDRESS } from '../network/every-address.ts';
import { loadLibrarySecrets } from '../settings/secret-files.ts';
import type { Log } from '../telemetry/log.ts';

/** An error that a person can fix. The message says how, and is shown without a stack trace. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Throws `StartError` if a program without arguments got one, such as `--help`. */
export function refuseArguments(): void {
  const [, , argument] = process.argv;
  if (argument === undefined) return;
  throw new StartError(`Unknown argument ${argument}. This program has only settings: docs/settings.md.`);
}

/** Set once the process was asked to stop. */
let isStopping = false;

/**
 * Runs `main`. An error ends the process with code 1 and its message. `LOG_LEVEL=debug` also prints the stack trace of an
 * error that is not a `StartError` or `ConfigError`.
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  // For connections without options of their own: PostgreSQL, S3, email, traces.
  setDefaultAutoSelectFamily(EVERY_ADDRESS.autoSelectFamily);
  setDefaultAutoSelectFamilyAttemptTimeout(EVERY_ADDRESS.autoSelectFamilyAttemptTimeout);
  try {
    const problems = loadLibrarySecrets(process.env);
    if (problems.length > 0) throw new StartError(problems.join('; '));
    await main();
  } catch (error) {
    const isExpected = error instanceof Error && ['StartError', 'ConfigError'].includes(error.name);
    // Stopping makes a start in progress fail. The stop then ends the process.
    if (isStopping && !isExpected) return;
    if (isExpected) console.error(error.message);
    else if (DEBUG_LEVELS.includes(process.env['LOG_LEVEL'] ?? '')) console.error(error);
    else console.error(`Failed: ${describe(error)}. Set LOG_LEVEL=debug to see the stack trace.`);
    process.exit(1);
  }
}

const DEBUG_LEVELS = ['debug', 'trace'];

/** Returns the messages of an error and its causes on one line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const text = (error.message || code || error.name).replaceAll(/\s+/g, ' ');
  return error.cause === undefined ? text : `${text}: ${describe(error.cause)}`;
}

export type Stop = () => Promise<void> | void;

/**
 * On SIGINT, SIGTERM, SIGHUP and when npm has ended: runs `stops` in reverse order, then exits with code 0. A second signal
 * exits immediately with code 1. Call this before anything is started, and add to `stops` after each start: in a
 * container, nothing else ends a process that is still starting.
 */
export function stopOnSignal(stops: Stop[], log: Log): void {
  const begin = (reason: string, atLast: () => void = () => undefined) => {
    isStopping = true;
    log.info({ reason }, 'stopping');
    runBackwards(stops).then(
      () => {
        atLast();
        process.exit(0);
      },
      (err: unknown) => {
        log.error({ err }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  const handle = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    begin(signal);
  };
  process.on('SIGINT', handle).on('SIGTERM', handle).on('SIGHUP', handle);
  // Only npm sets this variable. If npm started the process, the process stops with npm.
  if (process.env['npm_lifecycle_event'] !== undefined) {
    const parent = process.ppid;
    watchLauncher(() => {
      if (!isStopping) begin('npm has ended', () => endLauncher(parent));
    });
  }
}

/** Runs the functions in reverse order and removes them: later parts need earlier ones. */
export async function runBackwards(stops: Stop[]): Promise<void> {
  for (let last = stops.pop(); last; last = stops.pop()) await last();
}

const LAUNCHER_POLL_MS = 500;

/**
 * Calls `onGone` once when npm or the shell between npm and this process has ended. Killing npm in a script (`npm start &
 * … kill $!`) sends this process no signal. The timer does not keep the process alive.
 */
function watchLauncher(onGone: () => void): void {
  const launchers = findLaunchers();
  const timer = setInterval(() => {
    if (findLaunchers() === launchers) return;
    clearInterval(timer);
    onGone();
  }, LAUNCHER_POLL_MS).unref();
}

/** Ends the process between npm and this one: `node --watch` would otherwise wait for a file change. */
function endLauncher(parent: number): void {
  if (process.ppid === parent && parent > 1) process.kill(parent);
}

/** Returns the process IDs of the parent and, if known, of its parent. */
function findLaunchers(): string {
  const parent = process.ppid;
  try {
    const [, grandparent] = readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return `${parent} ${grandparent}`;
  } catch {
    return String(parent);
  }
}
