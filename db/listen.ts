/** Keeps one connection per process that receives PostgreSQL's notifications, and replaces it when it fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../runtime/telemetry/log.ts';
import { isDatabaseUnavailable } from './connect.ts';

interface Subscriber {
  /** Called with the payload of each notification. */
  notified(payload: string): void;
  /** Called after a reconnect: notifications may have been lost. */
  reconnected(): void;
}

export interface Listener {
  /**
   * Subscribes to a channel and returns a function that unsubscribes. Without a connection it returns at once, and
   * `reconnected` follows.
   */
  subscribe(channel: string, subscriber: Subscriber): Promise<() => void>;
  close(): Promise<void>;
}

export interface ListenOptions {
  databaseUrl: string;
  log: Log;
  /** Milliseconds between probes. A silent connection is replaced after this time plus `timeoutMs`. */
  probeMs?: number;
  /** Timeout of a probe or statement in milliseconds. */
  timeoutMs?: number;
}

const PROBE_MS = 5_000;
const TIMEOUT_MS = 2_000;
const RECONNECT_MS = 500;
/** Interval at which a continued outage is logged again. */
const LOG_EVERY_MS = 30_000;

/** Connects, and reconnects until it succeeds. Throws if the first connection fails for another reason than an outage. */
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
    let loggedAt = -Infinity;
    while (!closing.signal.aborted) {
      try {
        await sleep(RECONNECT_MS, undefined, { signal: closing.signal });
        await connect();
        for (const subscribers of channels.values()) subscribers.forEach((subscriber) => subscriber.reconnected());
        return;
      } catch (err) {
        if (closing.signal.aborted || performance.now() - loggedAt < LOG_EVERY_MS) continue;
        loggedAt = performance.now();
        log.warn({ err }, 'cannot listen to the database; trying again');
      }
    }
  }

  /**
   * Only a response shows that a connection works: networks may drop idle connections silently. A former primary still
   * responds after a failover, but notifications come from its successor.
   */
  async function probe(): Promise<void> {
    const probed = client;
    try {
      const result = await probed?.query<{ mode: string }>("select current_setting('transaction_read_only') as mode");
      if (result?.rows[0]?.mode === 'on') throw new Error('the server is read-only');
    } catch (err) {
      log.warn({ err }, 'the connection that listens to the database is lost');
      void probed?.end(); // with a running statement, this destroys the socket and emits 'end' at once
    }
  }

  async function keepProbing(): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) await sleep(probeMs, undefined, { signal }).then(probe, () => undefined);
  }

  await connect().catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
    void reconnect();
  });
  void keepProbing();

  return {
    async subscribe(channel, subscriber) {
      const subscribers = channels.get(channel) ?? new Set();
      channels.set(channel, subscribers.add(subscriber));
      if (subscribers.size === 1) await listenOn(client, channel);
      return () => {
        subscribers.delete(subscriber);
      };
    },
    async close() {
      closing.abort();
      // A silent connection never acknowledges its end.
      await Promise.race([client?.end(), sleep(timeoutMs, undefined, { ref: false })]);
    },
  };
}

const listenStatement = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`;

/** Listens to a channel. If that fails, as at a standby, the connection is ended, and replaced until it works. */
async function listenOn(client: pg.Client | undefined, channel: string): Promise<void> {
  await client?.query(listenStatement(channel)).catch(() => void client.end());
}
