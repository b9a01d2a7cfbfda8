import { reuseFor } from '../reuse-for.ts';
import { callInTime } from './connect.ts';
import type { TemporalCaller } from './connect.ts';

/** Temporal says so of a run after a few failures or time-outs of its task in a row; servers before 1.31 do not. */
const STUCK = 'TemporalReportedProblems IS NOT NULL AND ExecutionStatus = "Running"';
const TIMEOUT_MS = 2_000;
const REUSE_MS = 30_000;

/** Returns a function that counts the runs that stand still, at most twice a minute; undefined: nobody knows. */
export function createStuckCount({ connection, client }: TemporalCaller): () => Promise<number | undefined> {
  return reuseFor(REUSE_MS, () =>
    callInTime(connection, TIMEOUT_MS, () => client.workflow.count(STUCK)).then(
      (found) => found.count,
      () => undefined,
    ),
  );
}
