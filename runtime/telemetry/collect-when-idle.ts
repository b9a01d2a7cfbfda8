/** Gives memory back when nothing has happened for a while: V8 collects seldom in a process that does nothing. */
import { Session } from 'node:inspector/promises';
import { deliveryAttemptEnded, requestEnded, sessionEnded, vendorCallEnded } from './events.ts';

const IDLE_MS = 30_000;

/**
 * Collects garbage once after each stretch of work, when for `idleMs` nothing has ended; probes and scrapes are no work.
 * Returns the function that ends it. Not by `--expose-gc`: that would reach into the sandbox of the workflows.
 */
export function collectWhenIdle(collect: () => unknown = collectGarbage, idleMs = IDLE_MS): () => void {
  let timer: NodeJS.Timeout | undefined;
  const work = () => {
    if (timer) return void timer.refresh();
    timer = setTimeout(() => {
      timer = undefined;
      collect();
    }, idleMs).unref();
  };
  const stops = [
    requestEnded.listen(({ operation }) => operation !== undefined && work()),
    ...[vendorCallEnded, deliveryAttemptEnded, sessionEnded].map((event) => event.listen(work)),
  ];
  return () => {
    clearTimeout(timer);
    stops.forEach((stop) => stop());
  };
}

async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
