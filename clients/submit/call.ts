/** API calls with retries. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from 'conversation-analysis-client';

/** Number of times that a call is made. With the pauses, this takes four minutes. */
const MAX_TRIES = 10;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** HTTP statuses of temporary failures. */
const TEMPORARY = [429, 502, 503, 504];

/** The return value of the generated client. `response` is undefined if the connection failed. */
interface Result<T> {
  data?: T | undefined;
  error?: unknown;
  response?: Response | undefined;
}

export class CallError extends Error {
  override name = 'CallError';
  /** The service's problem; undefined if the service could not be reached or returned something else. */
  readonly problem: Problem | undefined;

  constructor(message: string, problem: Problem | undefined) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Makes a call and returns its data. Retries failed connections and temporary failures for four minutes. Throws `CallError`
 * if the call fails.
 * @param call makes the call. Called for each attempt, because a body can be sent only once.
 */
export async function callWithRetries<T>(call: () => Promise<Result<T>>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    const { data, error, response } = await call();
    if (data !== undefined) return data;
    signal.throwIfAborted();
    const isTemporary = response === undefined || TEMPORARY.includes(response.status);
    // Repeating the request would return the same failed session.
    if (!isTemporary || isEnd(error) || tries === MAX_TRIES) throw refusalOf(error);
    const askedMs = Number(response?.headers.get('Retry-After') ?? 0) * 1_000;
    await sleep(Math.min(Math.max(askedMs, FIRST_PAUSE_MS * 2 ** (tries - 1)), MAX_PAUSE_MS), undefined, { signal });
  }
}

/** Returns whether this is the response of a session that failed. */
const isEnd = (error: unknown) =>
  ['provider_failed', 'audio_unreachable'].includes((error as Partial<Problem> | undefined)?.code ?? '');

function refusalOf(error: unknown): CallError {
  const problem = typeof error === 'object' && error !== null && 'code' in error ? (error as Problem) : undefined;
  if (problem?.detail === undefined) return new CallError('the service does not respond', undefined);
  const fields = (problem.errors ?? [])
    .filter(({ message }) => !problem.detail.includes(message))
    .map(({ path, message }) => `${path} ${message}`);
  return new CallError([problem.detail, ...fields].join(' '), problem);
}
