/** The errors that calls of the API throw. */
import type { Problem } from '../src/types.gen.ts';

/** Session failures: repeating the request returns the same failed session. Retry it with `retrySession`. */
const ENDED_SESSION = ['provider_failed', 'audio_unreachable'];

/** HTTP statuses of temporary failures. */
const TEMPORARY = [408, 429, 500, 502, 503, 504];

/** The API, or a proxy before it, returned an error. Has every field of the problem that the API returned. */
export class ApiError extends Error implements Omit<Problem, 'code'> {
  override name = 'ApiError';
  /** `unexpected_response`: not a problem of the API, for example the page of a proxy. */
  readonly code: Problem['code'] | 'unexpected_response';
  declare readonly type: string;
  declare readonly title: string;
  declare readonly status: number;
  declare readonly detail: string;
  declare readonly request_id: string;
  /** All invalid fields. */
  declare readonly errors?: NonNullable<Problem['errors']>;
  /** The session, if the request has created one. */
  declare readonly session_id?: string;
  declare readonly provider?: string;
  declare readonly stage?: string;
  /** Of a failed session: whether `retrySession` may succeed. */
  declare readonly retryable?: boolean;
  declare readonly sign_in?: NonNullable<Problem['sign_in']>;
  readonly response: Response;
  /** Number of seconds to wait before a retry; undefined: the API did not say. */
  readonly retryAfter: number | undefined;

  constructor(problem: unknown, response: Response) {
    const isProblem = typeof problem === 'object' && problem !== null && 'code' in problem && 'detail' in problem;
    const { status, statusText: title } = response;
    const known = isProblem
      ? (problem as Problem)
      : { type: 'about:blank', title, status, detail: `HTTP ${status} without an error of the API.`, request_id: '' };
    const fields = (known as Partial<Problem>).errors ?? [];
    const named = fields.filter(({ message }) => !known.detail.includes(message));
    super([known.detail, ...named.map(({ path, message }) => `${path}: ${message}`)].join(' '));
    Object.assign(this, known);
    this.code = isProblem ? (problem as Problem).code : 'unexpected_response';
    this.response = response;
    Object.defineProperty(this, 'response', { enumerable: false });
    const seconds = Number(response.headers.get('Retry-After') ?? NaN);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return TEMPORARY.includes(this.status) && !ENDED_SESSION.includes(this.code) && this.code !== 'mail_unavailable';
  }
}

/** No response arrived. The API may have received the request. */
export class NetworkError extends Error {
  override name = 'NetworkError';
  readonly reason: 'connection' | 'timeout';
  readonly isRetryable = true;

  constructor(reason: NetworkError['reason'], message: string, cause: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Returns whether the call that threw this error may succeed later. */
export const isRetryable = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof NetworkError) && error.isRetryable;
