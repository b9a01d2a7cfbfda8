/** Runs the rules in another process: a long conversation then blocks no requests, and a failure does not end this process. */
import type { RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import { createTaskPool, TaskError } from '../runtime/process/task-pool.ts';
import { RedactionError } from './redaction-error.ts';
import type { RuleOptions } from './redact.ts';
import type { RuleTask } from './run-rules.ts';
import type { Redaction } from './types.ts';

interface RuleLimits {
  /** Maximum size of a conversation in UTF-8. */
  maxBytes?: number;
  /** Processor time for the first 100 kB of a conversation. Each further 100 kB has half of it. */
  cpuMs?: number;
  maxHeapMb?: number;
  /** How long an owner waits after a conversation that exceeded a limit. */
  pauseMs?: number;
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

const PART_BYTES = 100_000;

/** The conversations of an owner are redacted one after another, so others find a free process. Processes start with the first one. */
export function createRuleProcess({
  maxBytes = 1024 ** 2,
  cpuMs = 2_000,
  maxHeapMb = 192,
  pauseMs = 10_000,
  file = new URL('run-rules.ts', import.meta.url),
}: RuleLimits = {}): RuleProcess {
  const pool = createTaskPool(file, { processes: 2, perOwner: 1, maxHeapMb, pauseMs });
  return {
    async redact(turns, kinds, { owner = '', signal, ...options } = {}) {
      const bytes = turns.reduce((sum, { role, text }) => sum + Buffer.byteLength(role) + Buffer.byteLength(text), 0);
      if (bytes > maxBytes) throw new RedactionError('too_large', `the conversation is larger than ${maxBytes} bytes`);
      const task: RuleTask = { turns: turns.map(({ role, text }) => ({ role, text })), kinds, options };
      const parts = Math.max(0, Math.ceil(bytes / PART_BYTES) - 1);
      const answer = await pool.run(task, { owner, signal, cpuMs: cpuMs * (1 + parts / 2) }).catch((error: unknown) => {
        if (!(error instanceof TaskError)) throw error;
        // The same text would fail again.
        throw new RedactionError(error.hasBegun ? 'too_large' : 'failed', `redaction failed: ${error.message}`);
      });
      const { turns: redacted, items } = readRedaction(answer, task);
      return { turns: turns.map((turn, index) => ({ ...turn, text: redacted[index]?.text ?? '' })), items };
    },
    stop: pool.stop,
  };
}

function readRedaction(answer: unknown, { turns }: RuleTask): Redaction<RuleTask['turns'][number]> {
  const redaction = answer as Redaction<RuleTask['turns'][number]> | null;
  if (redaction?.turns.length !== turns.length) throw new RedactionError('failed', 'redaction lost a turn');
  return redaction;
}
