/** Lets requests wait for the end of a session: one listening connection for all of them, no thread, no polling. */
import { FINAL_SESSION_STATUSES } from '../contract/constants.ts';
import type { Listener } from '../db/listen.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../db/models/session.ts';
import type { Log } from '../runtime/telemetry/log.ts';

export interface SessionWaits {
  /**
   * Begins to wait at once, so it is called before the session is started. Resolves when the session has ended, after
   * `timeoutMs`, when `signal` aborts or when the process shuts down; the caller reads the session to see which.
   */
  wait(sessionId: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Ends every wait. */
  close(): void;
}

/** A notification that was missed costs this at most. One query asks for everybody who waits. */
const RECHECK_MS = 15_000;

export async function createSessionWaits({
  listener,
  log,
  recheckMs = RECHECK_MS,
}: {
  listener: Listener;
  log: Log;
  recheckMs?: number;
}): Promise<SessionWaits> {
  const waiting = new Map<string, Set<() => void>>();
  const closing = new AbortController();

  const wake = (sessionId: string) => waiting.get(sessionId)?.forEach((resolve) => resolve());

  async function recheck(): Promise<void> {
    if (waiting.size === 0) return;
    const finished = await SessionModel.query()
      .select('id')
      .whereIn('id', [...waiting.keys()])
      .whereIn('status', [...FINAL_SESSION_STATUSES]);
    for (const { id } of finished) wake(id);
  }

  const recheckOrWarn = () => void recheck().catch((err: unknown) => log.warn({ err }, 'recheck failed'));
  const unsubscribe = await listener.subscribe(SESSION_FINISHED_CHANNEL, {
    notified: wake,
    reconnected: recheckOrWarn,
  });
  const timer = setInterval(recheckOrWarn, recheckMs);

  return {
    async wait(sessionId, timeoutMs, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const resolvers = waiting.get(sessionId) ?? new Set();
      waiting.set(sessionId, resolvers.add(resolve));
      const timeout = setTimeout(resolve, timeoutMs);
      const ended = AbortSignal.any([signal, closing.signal]);
      ended.addEventListener('abort', () => resolve());
      if (ended.aborted) resolve();
      await promise;
      clearTimeout(timeout);
      resolvers.delete(resolve);
      if (resolvers.size === 0) waiting.delete(sessionId);
    },
    close() {
      closing.abort();
      clearInterval(timer);
      unsubscribe();
    },
  };
}

/** Who waits. */
export interface Waiter {
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  /** Lets the user's next request begin: a wait costs nothing. */
  endTurn: () => void;
}

/**
 * Waits from before `act` begins, so that an end that it brings about is not missed, until it is done. What `untilEnded`
 * returns resolves as a wait does.
 */
export async function waitDuring<T>(
  waits: SessionWaits,
  { sessionId, timeoutMs, signal, endTurn }: Waiter & { sessionId: string; timeoutMs: number },
  act: (untilEnded: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const enough = new AbortController();
  const ended = waits.wait(sessionId, timeoutMs, AbortSignal.any([signal, enough.signal]));
  try {
    return await act(() => {
      endTurn();
      return ended;
    });
  } finally {
    enough.abort();
  }
}
