/** How every process of the service begins and ends. */
import type { Log } from './telemetry/log.ts';

/** A fault that a person can mend; its text says how, and is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Runs `main`; what it throws ends the process with code 1 and, where the text is our own, just that sentence. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isExpected = error instanceof Error && ['StartError', 'ConfigError'].includes(error.name);
    console.error(isExpected ? error.message : error);
    process.exit(1);
  }
}

/** SIGINT and SIGTERM: stop in order once; a second signal ends the process at once. */
export function stopOnSignal(stop: () => Promise<void>, log: Log): void {
  let isStopping = false;
  const handle = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', handle).on('SIGTERM', handle);
}
