/** The streams that one user has open in this process. */
import { Readable } from 'node:stream';
import type { ServerEvent } from '../../contract/events.ts';
import { readChangedStates } from '../../db/queries/changed-states.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export interface StreamOptions {
  /** The client had a stream before, and what happened since is not known. */
  isResumed: boolean;
  /** Is asked now and then; the stream ends when the answer is no. */
  isStillValid: () => Promise<boolean>;
}

export interface UserStreams {
  count(): number;
  open(options: StreamOptions): Readable;
  /** Notes that the row with this id changed; its state is told soon, together with others. */
  changed(id: string): void;
  /** Tells that something may have been missed. */
  refetch(): void;
  /** Shows that the connections stand, and ends those whose credentials do not. */
  beat(): Promise<void>;
  close(): void;
}

/** Changes within this time are read and told together. */
const COALESCE_MS = 200;

/** More changes than this at once are told as one `refetch`. */
const MAX_CHANGES = 100;

/** A client that reads so slowly is cut off; it comes back and reads anew. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** After how long a browser comes back. */
const RECONNECT_MS = 2_000;

const REFETCH: ServerEvent = { event: 'refetch', data: {} };

/** Rows whose states are told; a change of any other is one of the user's credentials. */
const TOLD = /^(sess|dlv|rdl|bat)_/;

/**
 * Returns the streams of one user.
 * @param deps.emptied is called when the last stream is closed.
 */
export function createUserStreams(deps: { userId: string; log: Log; emptied: () => void }): UserStreams {
  const open = new Map<Readable, StreamOptions>();
  const changes = new Set<string>();
  let isTelling = false;
  let told = 0;

  function tell(events: readonly ServerEvent[]): void {
    send(events.map((event) => frame(event, ++told)).join(''));
  }

  function send(text: string): void {
    for (const stream of open.keys()) {
      if (stream.readableLength > MAX_UNREAD_BYTES) stream.destroy();
      else stream.push(text);
    }
  }

  function end(stream: Readable): void {
    if (!open.delete(stream)) return;
    stream.push(null);
    if (open.size === 0) deps.emptied();
  }

  async function endInvalid(): Promise<void> {
    for (const [stream, { isStillValid }] of [...open]) {
      // While the database is away nobody can say, and nothing is told either.
      if (!(await isStillValid().catch(() => true))) end(stream);
    }
  }

  function tellSoon(): void {
    if (isTelling || changes.size === 0) return;
    isTelling = true;
    setTimeout(() => void tellChanges(), COALESCE_MS);
  }

  async function tellChanges(): Promise<void> {
    const ids = [...changes];
    changes.clear();
    tell(ids.length > MAX_CHANGES ? [REFETCH] : await readOrRefetch(deps, ids));
    isTelling = false;
    tellSoon();
  }

  return {
    count: () => open.size,
    open(options) {
      const stream = new Readable({ read: () => undefined });
      open.set(stream, options);
      stream.once('close', () => end(stream));
      stream.push(`retry: ${RECONNECT_MS}\n\n`);
      if (options.isResumed) stream.push(frame(REFETCH, told));
      return stream;
    },
    changed(id) {
      if (!TOLD.test(id)) return void endInvalid();
      changes.add(id);
      tellSoon();
    },
    refetch: () => tell([REFETCH]),
    async beat() {
      send(':\n\n');
      await endInvalid();
    },
    close() {
      for (const stream of [...open.keys()]) end(stream);
    },
  };
}

/** Returns the event as it is written to a stream: WHATWG HTML, "Server-sent events". */
const frame = ({ event, data }: ServerEvent, id: number) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

async function readOrRefetch({ userId, log }: { userId: string; log: Log }, ids: string[]): Promise<ServerEvent[]> {
  try {
    return await readChangedStates(userId, ids);
  } catch (err) {
    log.warn({ err }, 'the states of what changed could not be read');
    return [REFETCH];
  }
}
