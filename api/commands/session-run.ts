/** A session that is about to run, or to run again. */
export interface SessionRun {
  sessionId: string;
  /** True if the client's key named it before, so that it may exist already, in any state. */
  isReplay?: boolean;
  /** True if it ended before and begins anew, so that news of that end may still arrive. */
  isRetry?: boolean;
  /** Hands it to Temporal. `delayed` means that a sweep does so later, and that its end is not worth waiting for. */
  start(): Promise<void | 'delayed'>;
}
