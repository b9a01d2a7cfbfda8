/** Streams changes to pages. Each API process with streams receives all notifications and reads the states that its pages watch. */
import type { Readable } from 'node:stream';
import type { Listener } from '../../db/listen.ts';
import { createTally } from '../../runtime/tally.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { refusal } from '../errors.ts';
import { createWorkspaceStreams, type StreamOptions, type WorkspaceStreams } from './workspace-streams.ts';

export interface EventStreams {
  /** Opens a stream of the workspace's changes. Throws `rate_limited` if the key of the options has too many. */
  open(workspaceId: string, options: StreamOptions): Promise<Readable>;
  /** Ends every stream. Streams that are opened later end at once. */
  close(): void;
}

/** The triggers of db/functions/announce.sql notify on this channel. */
const CHANGED_CHANNEL = 'changed';

/** Proxies and browsers close silent connections. */
const HEARTBEAT_MS = 15_000;
const RETRY_AFTER_S = 15;

interface EventStreamsOptions {
  listener: Listener;
  log: Log;
  streamsPerKey: number;
  heartbeatMs?: number;
}

export function createEventStreams({
  listener,
  log,
  streamsPerKey,
  heartbeatMs = HEARTBEAT_MS,
}: EventStreamsOptions): EventStreams {
  const workspaces = new Map<string, WorkspaceStreams>();
  const open = createTally();
  let isClosed = false;
  let isChecking = false;

  /** @param payload IDs of the workspace and of the changed row; or twice the ID of a user whose credentials changed. */
  function notified(payload: string): void {
    const [owner = '', id = ''] = payload.split(' ');
    if (owner === id) for (const streams of [...workspaces.values()]) void streams.recheck(owner);
    else workspaces.get(owner)?.changed(id);
  }

  /** Checks credentials one after another, in the time until the next heartbeat or longer. Heartbeats do not wait for it. */
  async function sendHeartbeats(): Promise<void> {
    for (const streams of [...workspaces.values()]) streams.sendHeartbeat();
    if (isChecking) return;
    isChecking = true;
    for (const streams of [...workspaces.values()]) await streams.recheck();
    isChecking = false;
  }

  // Each session causes several notifications, so a process without streams receives none.
  let subscription: Promise<() => void> | undefined;
  const subscribe = () =>
    (subscription ??= listener.subscribe(CHANGED_CHANNEL, {
      notified,
      reconnected: () => workspaces.forEach((streams) => streams.refetch()),
    }));
  const timer = setInterval(() => void sendHeartbeats(), heartbeatMs);

  return {
    async open(workspaceId, options) {
      await subscribe();
      const streams =
        workspaces.get(workspaceId) ??
        createWorkspaceStreams({ workspaceId, log, emptied: () => workspaces.delete(workspaceId) });
      if (open.of(options.key) >= streamsPerKey) {
        throw refusal('streams_limit', { max: streamsPerKey }, { retryAfterS: RETRY_AFTER_S });
      }
      workspaces.set(workspaceId, streams);
      const stream = streams.open(options);
      open.add(options.key, 1);
      stream.once('close', () => open.add(options.key, -1));
      if (isClosed) streams.close();
      return stream;
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      void subscription?.then((unsubscribe) => unsubscribe());
      for (const streams of [...workspaces.values()]) streams.close();
    },
  };
}
