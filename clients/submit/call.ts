/** Calls of the API that are made again where that may help. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '../typescript/src/index.ts';

/** Tries of one call. With the pauses between them they last four minutes. */
const MAX_TRIES = 10;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** Statuses of an answer that may be another one later. */
const PASSING = [429, 502, 503, 504];

/** What the generated client answers with; no response where there was no connection. */
interface Result<T> {
  data?: T | undefined;
  error?: unknown;
  response?: Response | undefined;
}

/** Says why the service did not take a call. */
export class CallError extends Error {
  override name = 'CallError';
  /** undefined: it was not reached, or answered with something else. */
  readonly problem: Problem | undefined;

  constructor(message: string, problem: Problem | undefined) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Returns what a call answers. One that did not reach the service, or that the service puts off, is made again. Throws
 * `CallError` for one that it refuses, or does not answer for minutes.
 * @param call with the body of the request made anew each time.
 */
export async function insist<T>(call: () => Promise<Result<T>>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    const { data, error, response } = await call();
    if (data !== undefined) return data;
    signal.throwIfAborted();
    const isPassing = response === undefined || PASSING.includes(response.status);
    // A session that failed at its vendor is answered with 502 too, and another call would not change it.
    if (!isPassing || isProblem(error, 'provider_failed') || tries === MAX_TRIES) throw refusalOf(error);
    const askedMs = Number(response?.headers.get('Retry-After') ?? 0) * 1_000;
    await sleep(Math.min(Math.max(askedMs, FIRST_PAUSE_MS * 2 ** (tries - 1)), MAX_PAUSE_MS), undefined, { signal });
  }
}

const isProblem = (error: unknown, code: string) => (error as Partial<Problem> | undefined)?.code === code;

function refusalOf(error: unknown): CallError {
  const problem = typeof error === 'object' && error !== null && 'code' in error ? (error as Problem) : undefined;
  if (problem?.detail === undefined) return new CallError('the service does not answer', undefined);
  const fields = (problem.errors ?? []).map(({ path, message }) => `${path} ${message}`);
  return new CallError([problem.detail, ...fields].join(' '), problem);
}
