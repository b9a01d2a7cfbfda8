import { prepare } from './calls/create-client.ts';
import { client } from './src/client.gen.ts';

// The client of calls without `client`. Has neither retries nor a time limit.
prepare(client, { maxRetries: 0, timeoutMs: 0 });

export * from './src/index.ts';
export type { Client } from './src/client/index.ts';
export { createClient } from './calls/create-client.ts';
export type { RetryOptions } from './calls/create-client.ts';
export { ApiError, isRetryable, NetworkError } from './calls/errors.ts';
export { paginate } from './calls/paginate.ts';
