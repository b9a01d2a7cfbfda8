import { API_BASE } from '../contract/values/constants.ts';
import type { Problem } from '../contract/values/errors.ts';
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

/** Returns an API client. If a call fails, the demo ends with a message that says what to do. */
export function createDemoClient(apiUrl: string): DemoClient {
  let token: string | undefined;
  return {
    useToken: (value) => (token = value),
    async call<T>(purpose: string, method: string, path: string, body?: unknown) {
      const isForm = body instanceof FormData;
      const response = await fetch(`${apiUrl}${API_BASE}${path}`, {
        method,
        headers: {
          ...(!isForm && { 'Content-Type': 'application/json' }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      }).catch(() => {
        throw new StartError(`Could not ${purpose}: no response from ${apiUrl}. Is the service still running?`);
      });
      const answer = (await response.json()) as T | Problem;
      if (response.ok) return answer as T;
      throw new StartError(`Could not ${purpose}: ${describe(answer as Problem)}`);
    },
  };
}

function describe({ status, detail, errors = [], request_id }: Problem): string {
  const fields = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return `${detail} ${fields && `${fields}. `}(HTTP ${status}; search the service's log for ${request_id})`;
}
