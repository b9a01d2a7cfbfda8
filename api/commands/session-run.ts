/** A session that is about to run, or to run again. */
export interface SessionRun {
  sessionId: string;
  /** The client's key named it before: it may be there already, wherever it stands. */
  isReplay?: boolean;
  /** It ended before and begins anew: what is heard of it may still be that end. */
  isRetry?: boolean;
  /** Hands it to Temporal. `delayed`: a sweep does so later, and its end is not worth waiting for. */
  start(): Promise<void | 'delayed'>;
}
