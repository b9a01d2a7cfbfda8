/** A program that fails while it starts, for process.test.ts. */
import { runMain } from '../../../runtime/process/process.ts';

await runMain(() =>
  Promise.reject(new Error('Failed to describe schedule', { cause: new Error('4 DEADLINE_EXCEEDED:\n timeout') })),
);
