/** The thread that runs the rules. */
import { parentPort } from 'node:worker_threads';
import type { RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import { redact, type RuleOptions } from './redact.ts';

export interface ThreadTask {
  turns: Pick<Turn, 'role' | 'text'>[];
  kinds: readonly RuleKind[];
  options?: RuleOptions | undefined;
}

parentPort?.on('message', ({ turns, kinds, options }: ThreadTask) =>
  parentPort?.postMessage(redact(turns, kinds, options)),
);
