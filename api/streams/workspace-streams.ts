/** The open event streams of one workspace in this process. */
import { Readable } from 'node:stream';
import type { ServerEvent } from '../../contract/service/events.ts';
import { readChangedStates } from '../../db/queries/changed-states.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export interface StreamOptions {
  /** The user whose credentials opened the stream; empty: unknown. */
  userId: string;
  /** Whose limit the stream counts for. */
  key: string;
  /** The client had a stream before and may have missed changes. */
  isResumed: boolean;
  /** Called now and then. The stream ends if the credentials are no longer valid. */
  isStillValid: () => Promise<boolean>;
}

export interface WorkspaceStreams {
  open(options: StreamOptions): Readable;
  /** Sends the state of the changed row soon, together with others. */
  changed(id: string): void;
  /** Makes clients read everything again. */
  refetch(): void;
  /** Keeps connections open. */
  sendHeartbeat(): void;
  /** Ends the streams whose credentials are no longer valid, of one user or of all. */
  recheck(userId?: string): Promise<void>;
  close(): void;
}

/** Changes within this time are read and sent together. */
const COALESCE_MS = 200;

/** More changes than this are sent as one `refetch`. */
const MAX_CHANGES = 100;

/** A client that reads too slowly is disconnected. It reconnects and reads everything again. */
const MAX_UNREAD_BYTES = 256 * 1024;

const RECONNECT_MS = 2_000;

const REFETCH: ServerEvent = { event: 'refetch', data: {} };

/** IDs of rows whose states are sent. Other changes are those of API tokens. */
const SENT_IDS = /^(sess|dlv|bat)_/;

interface StreamDeps {
  workspaceId: string;
  log: Log;
  /** Called when the last stream is closed. */
  emptied: () => void;
}

export function createWorkspaceStreams({ workspaceId, log, emptied }: StreamDeps): WorkspaceStreams {
  const open = new Map<Readable, StreamOptions>();
  const changes = new Set<string>();
  let isScheduled = false;
  let lastEventId = 0;

  function sendEvents(events: readonly ServerEvent[]): void {
    send(events.map((event) => toText(event, ++lastEventId)).join(''));
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
    if (open.size === 0) emptied();
  }

  async function endInvalid(ofUser?: string): Promise<void> {
    for (const [stream, { userId, isStillValid }] of [...open]) {
      if (ofUser !== undefined && userId !== ofUser) continue;
      // During a database outage the credentials cannot be checked, and no changes are sent.
      if (!(await isStillValid().catch(() => true))) end(stream);
    }
  }

  function scheduleChanges(): void {
    if (isScheduled || changes.size === 0) return;
    isScheduled = true;
    setTimeout(() => void sendChanges(), COALESCE_MS);
  }

  async function sendChanges(): Promise<void> {
    const ids = [...changes];
    changes.clear();
    sendEvents(ids.length > MAX_CHANGES ? [REFETCH] : await readStates(ids));
    isScheduled = false;
    scheduleChanges();
  }

  const readStates = (ids: string[]) =>
    readChangedStates(workspaceId, ids).catch((err: unknown) => {
      log.warn({ err }, 'could not read the states of changed rows');
      return [REFETCH];
    });

  return {
    open(options) {
      const stream = new Readable({ read: () => undefined });
      open.set(stream, options);
      stream.once('close', () => end(stream));
      stream.push(`retry: ${RECONNECT_MS}\n\n`);
      if (options.isResumed) stream.push(toText(REFETCH, lastEventId));
      return stream;
    },
    changed(id) {
      if (!SENT_IDS.test(id)) return void endInvalid();
      changes.add(id);
      scheduleChanges();
    },
    recheck: endInvalid,
    refetch: () => sendEvents([REFETCH]),
    sendHeartbeat: () => send(':\n\n'),
    close() {
      for (const stream of [...open.keys()]) end(stream);
    },
  };
}

/** Returns an event in the format of WHATWG HTML, "Server-sent events". */
const toText = ({ event, data }: ServerEvent, id: number) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
