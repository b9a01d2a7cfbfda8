/**
 * Keeps one connection per process that hears PostgreSQL's notifications, and notices by itself when it hears nothing
 * more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../runtime/telemetry/log.ts';

export interface Subscriber {
  /** Is called with the payload of each notification. */
  notified(payload: string): void;
  /** Is called when the connection stands again: notifications may have been lost since it was last heard. */
  reconnected(): void;
}

export interface Listener {
  /**
   * Returns a function that ends the subscription, once the channel is listened to. While the connection is away it
   * returns at once, and `reconnected` follows.
   */
  subscribe(channel: string, subscriber: Subscriber): Promise<() => void>;
  close(): Promise<void>;
}

export interface ListenOptions {
  databaseUrl: string;
  log: Log;
  /** Milliseconds between probes. A connection that went silent is replaced after this time and `timeoutMs`. */
  probeMs?: number;
  /** Milliseconds that a probe or a statement may take. */
  timeoutMs?: number;
}

const PROBE_MS = 5_000;
const TIMEOUT_MS = 2_000;
const RECONNECT_MS = 500;
/** Idle milliseconds before the system probes the connection; its own default is two hours. */
const KEEPALIVE_AFTER_MS = 30_000;

/**
 * Connects and listens; throws if the first connection fails. From then on it reconnects by itself, however long that
 * takes.
 */
export async function listenToDatabase({
  databaseUrl,
  log,
  probeMs = PROBE_MS,
  timeoutMs = TIMEOUT_MS,
}: ListenOptions): Promise<Listener> {
  const channels = new Map<string, Set<Subscriber>>();
  const closing = new AbortController();
  let client: pg.Client | undefined;

  async function connect(): Promise<void> {
    const connecting = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'conversation-analysis listener',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    });
    connecting.on('notification', ({ channel, payload = '' }) => {
      channels.get(channel)?.forEach((subscriber) => subscriber.notified(payload));
    });
    connecting.on('error', () => undefined); // 'end' follows
    try {
      await connecting.connect();
      for (const channel of channels.keys()) await connecting.query(listenStatement(channel));
    } catch (error) {
      void connecting.end();
      throw error;
    }
    client = connecting;
    connecting.once('end', () => void reconnect());
  }

  async function reconnect(): Promise<void> {
    client = undefined;
    while (!closing.signal.aborted) {
      try {
        await sleep(RECONNECT_MS, undefined, { signal: closing.signal });
        await connect();
        for (const subscribers of channels.values()) subscribers.forEach((subscriber) => subscriber.reconnected());
        return;
      } catch (err) {
        if (!closing.signal.aborted) log.warn({ err }, 'cannot listen to the database; trying again');
      }
    }
  }

  /**
   * Sends a statement and waits for its answer. A network may drop an idle connection and tell neither end, so only an
   * answer shows that it still stands.
   */
  async function probe(): Promise<void> {
    const probed = client;
    try {
      await probed?.query('select 1');
    } catch (err) {
      log.warn({ err }, 'the connection that listens to the database is lost');
      void probed?.end(); // 'end' follows at once: with a statement under way, the socket is destroyed
    }
  }

  async function keepProbing(): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) await sleep(probeMs, undefined, { signal }).then(probe, () => undefined);
  }

  await connect();
  void keepProbing();

  return {
    async subscribe(channel, subscriber) {
      const subscribers = channels.get(channel) ?? new Set();
      channels.set(channel, subscribers.add(subscriber));
      if (subscribers.size === 1) await client?.query(listenStatement(channel));
      return () => {
        subscribers.delete(subscriber);
      };
    },
    async close() {
      closing.abort();
      // The goodbye over a connection that went silent is never acknowledged.
      await Promise.race([client?.end(), sleep(timeoutMs, undefined, { ref: false })]);
    },
  };
}

const listenStatement = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`;
