/** Runs the rules in a thread: a long conversation then blocks no requests, and a failure does not end the process. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import { RedactionError } from './redaction-error.ts';
import type { ThreadTask } from './thread.ts';
import type { RuleOptions } from './redact.ts';
import type { Redaction } from './types.ts';

export interface ThreadLimits {
  /** Maximum size of a conversation in UTF-8. */
  maxBytes?: number;
  /** Time limit for one conversation, excluding the wait for other conversations. */
  timeoutMs?: number;
  maxHeapMb?: number;
  /** The thread's file, for tests. */
  file?: URL;
}

export interface RuleThread {
  /**
   * Returns what `redact` returns. Throws `RedactionError`, or the reason of the signal. `owner`: whose share of the thread it
   * takes.
   */
  redact<T extends Pick<Turn, 'role' | 'text'>>(
    turns: readonly T[],
    kinds: readonly RuleKind[],
    options?: RuleOptions & { owner?: string; signal?: AbortSignal },
  ): Promise<Redaction<T>>;
  stop(): Promise<void>;
}

/** Conversations are redacted one after another; owners are served alternately. The thread starts with the first one. */
export function createRuleThread({
  maxBytes = 1024 ** 2,
  timeoutMs = 20_000,
  maxHeapMb = 512,
  file = new URL('thread.ts', import.meta.url),
}: ThreadLimits = {}): RuleThread {
  let worker: Worker | undefined;
  /** What waits for the thread, by owner. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let working: Promise<void> | undefined;

  function enqueue<R>(owner: string, signal: AbortSignal | undefined, job: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', leave, { once: true });
      const own = waiting.get(owner) ?? [];
      own.push(async () => {
        // Its caller has left the queue.
        if (!signal?.aborted) await job().then(resolve, reject);
        signal?.removeEventListener('abort', leave);
      });
      waiting.set(owner, own);
      working ??= work();
    });
  }

  async function work(): Promise<void> {
    for (let next = takeNext(); next; next = takeNext()) await next();
    working = undefined;
  }

  function takeNext(): (() => Promise<void>) | undefined {
    const [first] = waiting;
    if (!first) return undefined;
    const [owner, own] = first;
    const next = own.shift();
    // The owner is the last of all.
    waiting.delete(owner);
    if (own.length > 0) waiting.set(owner, own);
    return next;
  }

  async function run(task: ThreadTask, signal: AbortSignal | undefined): Promise<ReturnType<typeof readAnswer>> {
    // An unhandled `error` event would end the process.
    worker ??= new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }).on('error', () => undefined);
    const thread = worker;
    try {
      const limits = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
      const answer = once(thread, 'message', { signal: AbortSignal.any(limits) });
      thread.ref();
      thread.postMessage(task);
      const [message] = (await answer) as [unknown];
      thread.unref();
      return readAnswer(message, task);
    } catch (error) {
      worker = undefined;
      await thread.terminate();
      if (error instanceof RedactionError) throw error;
      throw new RedactionError('failed', `redaction failed: ${error instanceof Error ? error.name : 'unknown error'}`);
    }
  }

  return {
    async redact(turns, kinds, { owner = '', signal, ...options } = {}) {
      const bytes = turns.reduce((sum, { role, text }) => sum + Buffer.byteLength(role) + Buffer.byteLength(text), 0);
      if (bytes > maxBytes) throw new RedactionError('too_large', `the conversation is larger than ${maxBytes} bytes`);
      const task: ThreadTask = { turns: turns.map(({ role, text }) => ({ role, text })), kinds, options };
      const { turns: redacted, items } = await enqueue(owner, signal, () => run(task, signal));
      return { turns: turns.map((turn, index) => ({ ...turn, text: redacted[index]?.text ?? '' })), items };
    },
    async stop() {
      await working;
      await worker?.terminate();
      worker = undefined;
    },
  };
}

function readAnswer(message: unknown, { turns }: ThreadTask): Redaction<ThreadTask['turns'][number]> {
  const answer = message as Redaction<ThreadTask['turns'][number]>;
  if (answer.turns.length !== turns.length) throw new RedactionError('failed', 'redaction lost a turn');
  return answer;
}
