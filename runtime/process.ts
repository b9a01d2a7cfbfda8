/** Begins and ends every process of the service. */
import { endLauncher, watchLauncher } from './launcher.ts';
import type { Log } from './telemetry/log.ts';

/** Says what a person can mend and how; it is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Returns the sentence for a start that finds its port taken. */
export const portTaken = (port: number, host: string) =>
  `Port ${port} on ${host} can't be used: another program has it, or it is not allowed. Set PORT to another one; 0 takes a free one.`;

/** Set once the process was asked to stop. */
let isStopping = false;

/** Runs `main`; what it throws ends the process with code 1 and, where the text is our own, just that sentence. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isExpected = error instanceof Error && ['StartError', 'ConfigError'].includes(error.name);
    // A start fails when a stop takes away what it waits for; the stop ends the process.
    if (isStopping && !isExpected) return;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  }
}

/** Ends one part of a process. */
export type Stop = () => Promise<void> | void;

/**
 * Runs `stops` backwards, once, and ends the process with code 0 after it, on SIGINT, SIGTERM, SIGHUP (the terminal was
 * closed) and when npm is gone. A second signal ends the process at once, with code 1. Call it before anything is
 * started, and add to `stops` what has been: in a container nothing else ends a process that is still starting.
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
  // Only npm sets it: where npm started the process, its end is a wish to stop as well.
  if (process.env['npm_lifecycle_event'] !== undefined) {
    const parent = process.ppid;
    watchLauncher(() => {
      if (!isStopping) begin('npm is gone', () => endLauncher(parent));
    });
  }
}

/** Runs the last first, and takes each out: what was started later may need what was started before. */
export async function runBackwards(stops: Stop[]): Promise<void> {
  for (let last = stops.pop(); last; last = stops.pop()) await last();
}
