/** A program of process.test.ts, which fails while it starts. */
import { runMain } from '../../runtime/process.ts';

await runMain(() =>
  Promise.reject(new Error('Failed to describe schedule', { cause: new Error('4 DEADLINE_EXCEEDED:\n timeout') })),
);
