/** Runs the rules in another process: a long conversation then blocks no requests, and a failure does not end this process. */
import type { RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import { createTaskPool, TaskError } from '../runtime/task-pool.ts';
import { RedactionError } from './redaction-error.ts';
import type { RuleOptions } from './redact.ts';
import type { RuleTask } from './run-rules.ts';
import type { Redaction } from './types.ts';

interface RuleLimits {
  /** Maximum size of a conversation in UTF-8. */
  maxBytes?: number;
  /** Time limit for one conversation, excluding the wait for other conversations. */
  timeoutMs?: number;
  maxHeapMb?: number;
  /** The module that runs the rules, for tests. */
  file?: URL;
}

export interface RuleProcess {
  /**
   * Returns what `redact` returns. Throws `RedactionError`, or the reason of the signal. `owner`: whose share of the process it
   * takes.
   */
  redact<T extends Pick<Turn, 'role' | 'text'>>(
    turns: readonly T[],
    kinds: readonly RuleKind[],
    options?: RuleOptions & { owner?: string; signal?: AbortSignal },
  ): Promise<Redaction<T>>;
  stop(): Promise<void>;
}

/** Conversations are redacted one after another; owners are served alternately. The process starts with the first one. */
export function createRuleProcess({
  maxBytes = 1024 ** 2,
  timeoutMs = 20_000,
  maxHeapMb = 512,
  file = new URL('run-rules.ts', import.meta.url),
}: RuleLimits = {}): RuleProcess {
  const pool = createTaskPool(file, { processes: 1, perOwner: 1, timeoutMs, maxHeapMb });
  return {
    async redact(turns, kinds, { owner = '', signal, ...options } = {}) {
      const bytes = turns.reduce((sum, { role, text }) => sum + Buffer.byteLength(role) + Buffer.byteLength(text), 0);
      if (bytes > maxBytes) throw new RedactionError('too_large', `the conversation is larger than ${maxBytes} bytes`);
      const task: RuleTask = { turns: turns.map(({ role, text }) => ({ role, text })), kinds, options };
      const answer = await pool.run(task, { owner, signal }).catch((error: unknown) => {
        throw error instanceof TaskError ? new RedactionError('failed', `redaction failed: ${error.message}`) : error;
      });
      const { turns: redacted, items } = readAnswer(answer, task);
      return { turns: turns.map((turn, index) => ({ ...turn, text: redacted[index]?.text ?? '' })), items };
    },
    stop: pool.stop,
  };
}

function readAnswer(answer: unknown, { turns }: RuleTask): Redaction<RuleTask['turns'][number]> {
  const redaction = answer as Redaction<RuleTask['turns'][number]> | null;
  if (redaction?.turns.length !== turns.length) throw new RedactionError('failed', 'redaction lost a turn');
  return redaction;
}
