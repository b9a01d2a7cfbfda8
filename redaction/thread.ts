/** The thread that runs the rules. */
import { parentPort } from 'node:worker_threads';
import type { Turn } from '../contract/sessions.ts';
import { redact } from './redact.ts';
import type { RuleKind } from './types.ts';

export interface ThreadTask {
  turns: Pick<Turn, 'role' | 'text'>[];
  kinds: readonly RuleKind[];
}

parentPort?.on('message', ({ turns, kinds }: ThreadTask) => parentPort?.postMessage(redact(turns, kinds)));
