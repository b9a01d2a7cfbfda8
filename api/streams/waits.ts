/** Lets requests wait for the end of a session. All of them share one listening connection and one periodic query. */
import { FINAL_SESSION_STATUSES } from '../../contract/values/constants.ts';
import type { Listener } from '../../db/listen.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../../db/models/session.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export interface SessionWaits {
  /** Starts to wait. Call it before starting the session, so that an immediate end is not missed. */
  begin(sessionId: string, options: { timeoutMs: number; signal: AbortSignal }): Wait;
  /** Ends every wait. */
  close(): void;
}

export interface Wait {
  /**
   * Resolves to `true` when the end of the session is announced; to `false` after `timeoutMs`, when `signal` aborts, when
   * the process shuts down or after `cancel`.
   */
  ended: Promise<boolean>;
  cancel(): void;
}

/** A missed notification delays a response by this much at most. */
const RECHECK_MS = 15_000;

interface SessionWaitsDeps {
  listener: Listener;
  log: Log;
  recheckMs?: number;
}

export async function createSessionWaits({
  listener,
  log,
  recheckMs = RECHECK_MS,
}: SessionWaitsDeps): Promise<SessionWaits> {
  const waiting = new Map<string, Set<(hasEnded: boolean) => void>>();
  const closing = new AbortController();

  const wake = (sessionId: string) => waiting.get(sessionId)?.forEach((resolve) => resolve(true));

  async function recheck(): Promise<void> {
    if (waiting.size === 0) return;
    const finished = await SessionModel.query()
      .select('id')
      .whereIn('id', [...waiting.keys()])
      .whereIn('status', [...FINAL_SESSION_STATUSES]);
    for (const { id } of finished) wake(id);
  }

  const recheckOrWarn = () =>
    void recheck().catch((err: unknown) => log.warn({ err }, 'could not check for ended sessions'));
  const unsubscribe = await listener.subscribe(SESSION_FINISHED_CHANNEL, {
    notified: wake,
    reconnected: recheckOrWarn,
  });
  const timer = setInterval(recheckOrWarn, recheckMs);

  return {
    begin(sessionId, { timeoutMs, signal }) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const resolvers = waiting.get(sessionId) ?? new Set();
      waiting.set(sessionId, resolvers.add(resolve));
      const cancel = () => resolve(false);
      const timeout = setTimeout(cancel, timeoutMs);
      const stopped = AbortSignal.any([signal, closing.signal]);
      stopped.addEventListener('abort', cancel);
      if (stopped.aborted) cancel();
      const ended = promise.finally(() => {
        clearTimeout(timeout);
        resolvers.delete(resolve);
        if (resolvers.size === 0) waiting.delete(sessionId);
      });
      return { ended, cancel };
    },
    close() {
      closing.abort();
      clearInterval(timer);
      unsubscribe();
    },
  };
}
