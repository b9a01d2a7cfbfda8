/** Tells pages what changes: each API process hears of every change, and reads the states of those that someone watches. */
import type { Readable } from 'node:stream';
import type { Listener } from '../../db/listen.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { ApiError } from '../errors.ts';
import { createUserStreams } from './user-streams.ts';
import type { StreamOptions, UserStreams } from './user-streams.ts';

export interface EventStreams {
  /** Opens a stream of what changes for the user; throws `rate_limited` when the user has too many open. */
  open(userId: string, options: StreamOptions): Readable;
  /** Ends every stream, and those that are opened later at once. */
  close(): void;
}

/** Announced by triggers: db/migrations/2026-11-22-changes.ts. */
const CHANGED_CHANNEL = 'changed';

/** Proxies and browsers take a connection that is silent for long to be dead. */
const HEARTBEAT_MS = 15_000;

export interface EventStreamsOptions {
  listener: Listener;
  log: Log;
  streamsPerUser: number;
  heartbeatMs?: number;
}

export async function createEventStreams({
  listener,
  log,
  streamsPerUser,
  heartbeatMs = HEARTBEAT_MS,
}: EventStreamsOptions): Promise<EventStreams> {
  const users = new Map<string, UserStreams>();
  let isClosed = false;

  /**
   * Tells the user's streams what changed.
   * @param payload id of the user, a blank, id of what changed.
   */
  function notified(payload: string): void {
    const [userId = '', id = ''] = payload.split(' ');
    users.get(userId)?.changed(id);
  }

  async function beat(): Promise<void> {
    for (const streams of [...users.values()]) await streams.beat();
  }

  const unsubscribe = await listener.subscribe(CHANGED_CHANNEL, {
    notified,
    reconnected: () => users.forEach((streams) => streams.refetch()),
  });
  const timer = setInterval(() => void beat(), heartbeatMs);

  return {
    open(userId, options) {
      const streams = users.get(userId) ?? createUserStreams({ userId, log, emptied: () => users.delete(userId) });
      if (streams.count() >= streamsPerUser) throw tooMany(streamsPerUser);
      users.set(userId, streams);
      const stream = streams.open(options);
      if (isClosed) streams.close();
      return stream;
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      unsubscribe();
      for (const streams of [...users.values()]) streams.close();
    },
  };
}

/** Seconds after which a client may have closed one. */
const RETRY_AFTER_S = 15;

function tooMany(streamsPerUser: number): ApiError {
  const detail = `You have ${streamsPerUser} streams of events open already. Close one.`;
  return new ApiError('rate_limited', detail, { headers: { 'Retry-After': String(RETRY_AFTER_S) } });
}
