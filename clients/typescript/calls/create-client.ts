/** A client that throws typed errors, limits the time of calls, and repeats calls that failed temporarily. */
import { createClient as createPlainClient, type Client, type Config } from '../src/client/index.ts';
import { ApiError, isRetryable, NetworkError } from './errors.ts';

export interface RetryOptions {
  /** Number of times that a call is repeated. Default: 4, which takes about 8 seconds or as long as `Retry-After` says. */
  maxRetries?: number;
  /** Time until a response must begin, except uploads of files. Default: 90 seconds, more than the API waits for a result. 0: no limit. */
  timeoutMs?: number;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** The operations that accept `Idempotency-Key`. */
const IDEMPOTENT = ['/v1/requests/text', '/v1/requests/voice', '/v1/batches'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Returns a client. Pass it as `client` to the functions of this package.
 * Calls throw `ApiError` or `NetworkError`, and the reason of `signal` if it aborts.
 */
export function createClient({ maxRetries = 4, timeoutMs = 90_000, ...config }: Config & RetryOptions): Client {
  return prepare(createPlainClient({ throwOnError: true, ...config }), { maxRetries, timeoutMs });
}

type Options = Parameters<Client['request']>[0];
type Result = { data?: unknown; error?: Error; request?: Request; response?: Response };
type Call = (options: Options) => Promise<Result>;

/** Changes the methods of a client. */
export function prepare(client: Client, retry: Required<RetryOptions>): Client {
  for (const name of METHODS) {
    const plain = client[name] as Call;
    const call = async (options: Options) => {
      const { throwOnError = true, responseStyle = 'fields' } = { ...client.getConfig(), ...options };
      const result = await callWithRetries(plain, withKey(name, options), { ...retry, client, method: name });
      if (result.error !== undefined && throwOnError) throw result.error;
      return responseStyle === 'data' ? result.data : result;
    };
    Object.assign(client, { [name]: call });
  }
  return client;
}

/** Adds an idempotency key, so that a repeated submission returns the first session. */
function withKey(method: string, options: Options): Options {
  if (method !== 'post' || !IDEMPOTENT.includes(options.url)) return options;
  if (hasKey(options)) return options;
  const headers = { ...(options.headers as object), 'Idempotency-Key': crypto.randomUUID() };
  return { ...options, headers };
}

async function callWithRetries(
  call: Call,
  options: Options,
  { maxRetries, timeoutMs, client, method }: Required<RetryOptions> & { client: Client; method: string },
): Promise<Result> {
  for (let retries = 0; ; retries++) {
    const result = await callOnce(call, options, timeoutMs, client);
    const { error } = result;
    if (retries >= maxRetries || !isRetryable(error) || !isRepeatable(method, options, error)) return result;
    const askedMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
    if (askedMs > MAX_PAUSE_MS) return result;
    // Between half the pause and the pause, so that clients do not return all at once.
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** retries, MAX_PAUSE_MS) * (0.5 + Math.random() / 2);
    await sleep(Math.max(askedMs, pauseMs), options.signal);
  }
}

const hasKey = ({ headers = {} }: Options) =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');

/** Returns whether repeating the call does nothing twice. */
function isRepeatable(method: string, options: Options, error: unknown): boolean {
  const isRefused = error instanceof ApiError && error.status === 429;
  const isIdempotent = ['get', 'put', 'delete'].includes(method);
  return isIdempotent || isRefused || hasKey(options);
}

async function callOnce(call: Call, options: Options, timeoutMs: number, client: Client): Promise<Result> {
  const { signal } = options;
  signal?.throwIfAborted();
  const timeout = new AbortController();
  const limitMs = hasFile(options.body) ? 0 : timeoutMs;
  const timer = limitMs > 0 ? setTimeout(() => timeout.abort(), limitMs) : undefined;
  const send = options.fetch ?? client.getConfig().fetch ?? fetch;
  const result = await call({
    ...options,
    throwOnError: false,
    responseStyle: 'fields',
    signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    fetch: (...request) => send(...request).finally(() => clearTimeout(timer)),
  });
  clearTimeout(timer);
  if (result.error === undefined) return result;
  signal?.throwIfAborted();
  return { ...result, error: toError(result, timeout.signal.aborted, limitMs) };
}

/** Returns the error as `ApiError` or `NetworkError`; as it is if no request was made, because an option is wrong. */
function toError({ error, request, response }: Result, isLate: boolean, limitMs: number): Error | undefined {
  if (!request) return error;
  const { origin } = new URL(request.url);
  if (isLate) return new NetworkError('timeout', `${origin} did not respond within ${limitMs / 1_000} seconds.`, error);
  const isCut = error instanceof Error && !(error instanceof SyntaxError);
  if (response && !isCut) return new ApiError(error, response);
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const detail = cause?.code ?? cause?.message ?? (error as Error).message;
  return new NetworkError('connection', `${origin} could not be reached, or closed the connection: ${detail}.`, error);
}

const hasFile = (body: unknown) =>
  typeof body === 'object' && body !== null && Object.values(body).some((value) => value instanceof Blob);

function sleep(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
