/** Limits responses that clients do not read: their bytes, and the time in which a client reads nothing. */
import type { Context } from 'koa';
import { API_BASE } from '../../contract/values/constants.ts';
import { type ApiError, refusal } from '../errors.ts';
import type { Memory } from '../guard/gate.ts';

interface Unread {
  key: string;
  bytes: number;
  /** The request may have changed something, so its response is sent in any case, unless `waitedFor` names a session. */
  isChange: boolean;
  /** The session that a request for a change waited for. Its client can read the session later. */
  waitedFor?: string | undefined;
}

/** Counts the bytes of a response until the connection has taken them. Throws as `Memory.add` does. */
export function countUnread(
  { res, req: { socket } }: Context,
  memory: Memory,
  { key, bytes, isChange, waitedFor }: Unread,
): void {
  if (res.closed || socket.destroyed) return;
  const unread = memory.open(key);
  const release = () => {
    unread.release();
    for (const end of [res, socket]) end.off('close', release);
  };
  // A response that waits for an earlier one on its connection does not report that the connection ended. A client may send many
  // such requests, so there is no limit of listeners.
  for (const end of [res, socket.setMaxListeners(0)]) end.once('close', release);
  try {
    unread.add(bytes);
  } catch (error) {
    if (isChange && waitedFor === undefined) return;
    release();
    throw waitedFor === undefined ? error : unsent(waitedFor);
  }
}

function unsent(session_id: string): ApiError {
  const headers = { Location: `${API_BASE}/v1/sessions/${session_id}` };
  return refusal('unread', { session: session_id }, { session_id, headers, retryAfterS: RETRY_AFTER_S });
}

const RETRY_AFTER_S = 5;

/**
 * Cuts the connection when the client takes no byte of the response for this time. Returns a function to call when the response
 * begins. Time without a byte to send does not count, such as that of an event stream without events.
 */
export function cutWhenUnread({ res, req }: Context, ms: number): () => void {
  res.on('timeout', () => {
    if (req.socket.writableLength > 0) req.socket.destroy();
  });
  // Node restarts the time when the client takes bytes, and replaces it when the response has ended.
  return () => void req.socket.setTimeout(ms);
}
