import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '../contract/values/constants.ts';
import type { Problem } from '../contract/errors/problem.ts';
import { StartError } from '../runtime/process.ts';

export interface DemoClient {
  useToken(token: string): void;
  /**
   * Calls one endpoint and returns the response.
   * @param purpose completes the sentence "Could not …" if the call fails.
   * @param body a form, or anything else as JSON.
   */
  call<T>(purpose: string, method: string, path: string, body?: unknown): Promise<T>;
}

/** Of one call, while the service is too busy. */
const MAX_TRIES = 10;

/** Returns an API client. If a call fails, the demo ends with a message that says what to do. */
export function createDemoClient(apiUrl: string): DemoClient {
  let token: string | undefined;
  return {
    useToken: (value) => (token = value),
    async call<T>(purpose: string, method: string, path: string, body?: unknown) {
      const isForm = body instanceof FormData;
      const headers = {
        ...(!isForm && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        'Idempotency-Key': randomUUID(),
      };
      for (let tries = 1; ; tries++) {
        const response = await fetch(`${apiUrl}${API_BASE}${path}`, {
          method,
          headers,
          ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        }).catch(() => {
          throw new StartError(`Could not ${purpose}: no response from ${apiUrl}. Is the service still running?`);
        });
        const answer = (await response.json()) as T | Problem;
        if (response.ok) return answer as T;
        if (response.status !== 503 || tries === MAX_TRIES)
          throw new StartError(`Could not ${purpose}: ${describe(answer as Problem)}`);
        await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
      }
    },
  };
}

function describe({ status, detail, errors = [], request_id }: Problem): string {
  const fields = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return `${detail} ${fields && `${fields}. `}(HTTP ${status}; search the service's log for ${request_id})`;
}
