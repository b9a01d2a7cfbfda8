/** Lets requests wait for the end of a session: one listening connection for all of them, no thread, no polling. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { FINAL_SESSION_STATUSES } from '../contract/constants.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../db/models/session.ts';
import type { Log } from '../runtime/telemetry/log.ts';

export interface SessionWaits {
  /**
   * Begins to wait at once, so it is called before the session is started. Resolves when the session has ended, after
   * `timeoutMs`, when `signal` aborts or when the process shuts down; the caller reads the session to see which.
   */
  wait(sessionId: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A notification that was missed costs this at most. One query asks for everybody who waits. */
const RECHECK_MS = 15_000;
const RECONNECT_MS = 500;

export async function createSessionWaits({
  databaseUrl,
  log,
  recheckMs = RECHECK_MS,
}: {
  databaseUrl: string;
  log: Log;
  recheckMs?: number;
}): Promise<SessionWaits> {
  const waiting = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  let listener: pg.Client | undefined;

  const wake = (sessionId: string) => waiting.get(sessionId)?.forEach((resolve) => resolve());

  async function listen(): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000, keepAlive: true });
    client.on('notification', ({ payload }) => wake(payload ?? ''));
    client.on('error', () => undefined); // 'end' follows
    await client.connect();
    await client.query(`listen ${SESSION_FINISHED_CHANNEL}`);
    listener = client;
    client.once('end', () => void reconnect());
  }

  async function reconnect(): Promise<void> {
    listener = undefined;
    while (!closing.signal.aborted) {
      try {
        await sleep(RECONNECT_MS, undefined, { signal: closing.signal });
        await listen();
        return await recheck();
      } catch (err) {
        if (!closing.signal.aborted) log.warn({ err }, 'cannot listen for finished sessions; trying again');
      }
    }
  }

  async function recheck(): Promise<void> {
    if (waiting.size === 0) return;
    const finished = await SessionModel.query()
      .select('id')
      .whereIn('id', [...waiting.keys()])
      .whereIn('status', [...FINAL_SESSION_STATUSES]);
    for (const { id } of finished) wake(id);
  }

  await listen();
  const timer = setInterval(() => recheck().catch((err: unknown) => log.warn({ err }, 'recheck failed')), recheckMs);

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
    async close() {
      closing.abort();
      clearInterval(timer);
      await listener?.end();
    },
  };
}

/**
 * Waits from before `act` begins, so that an end that it brings about is not missed, until it is done. `ended` resolves
 * as a wait does.
 */
export async function waitDuring<T>(
  waits: SessionWaits,
  { sessionId, timeoutMs, signal }: { sessionId: string; timeoutMs: number; signal: AbortSignal },
  act: (ended: Promise<void>) => Promise<T>,
): Promise<T> {
  const enough = new AbortController();
  const ended = waits.wait(sessionId, timeoutMs, AbortSignal.any([signal, enough.signal]));
  try {
    return await act(ended);
  } finally {
    enough.abort();
  }
}
