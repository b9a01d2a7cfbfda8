/** A connection to Temporal that exists before Temporal is reachable. */
import type { ConnectionLike } from '@temporalio/client';

/** A call before the first connection to Temporal. */
export class TemporalAwayError extends Error {
  override name = 'TemporalAwayError';
}

/**
 * Returns a connection immediately, which forwards to the one that `connect` resolves with. Until then, each call throws
 * `TemporalAwayError`, or the error of `connect`. Closing aborts `connect`.
 */
export function connectLater(connect: (signal: AbortSignal) => Promise<ConnectionLike>): ConnectionLike {
  const closing = new AbortController();
  let connection: ConnectionLike | undefined;
  let failure: unknown = new TemporalAwayError('Temporal has not been reached yet');
  const connecting = connect(closing.signal).then(
    (connected) => void (connection = connected),
    (error: unknown) => {
      failure = error;
      throw error;
    },
  );
  connecting.catch(() => undefined); // unless `ensureConnected` is called
  function connected(): ConnectionLike {
    if (connection === undefined) throw failure;
    return connection;
  }
  return {
    get workflowService() {
      return connected().workflowService;
    },
    get operatorService() {
      return connected().operatorService;
    },
    plugins: [],
    ensureConnected: () => connecting,
    withDeadline: async (deadline, call) => connected().withDeadline(deadline, call),
    withMetadata: async (metadata, call) => connected().withMetadata(metadata, call),
    withAbortSignal: async (signal, call) => connected().withAbortSignal(signal, call),
    async close() {
      closing.abort();
      await connection?.close();
    },
  };
}
