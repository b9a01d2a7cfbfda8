import type { ServerResponse } from 'node:http';
import { isStillValid, type Caller } from '../guard/authenticate.ts';
import { refusal } from '../errors.ts';

const CHECK_MS = 1_000;

/** Cuts a long response when the caller's credentials are no longer valid. */
export function endWhenRevoked(response: ServerResponse, caller: Caller): void {
  const timer = setInterval(() => void check(), CHECK_MS);
  response.once('close', () => clearInterval(timer));

  async function check(): Promise<void> {
    // During a database outage the credentials cannot be checked.
    if (!(await isStillValid(caller).catch(() => true))) response.destroy();
  }
}

/** Throws `unauthorized` if the caller lost access while the request's body arrived. */
export async function requireStillValid(caller: Caller): Promise<void> {
  if (await isStillValid(caller)) return;
  throw refusal('unauthorized:access_lost');
}
