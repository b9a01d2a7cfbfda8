/** Leaves a fifth of the requests per minute to the other programs of the workspace. */
import { setTimeout } from 'node:timers/promises';

const LEFT = 1 / 5;

/** Returns a `fetch` that waits until the next period when less than a fifth of the limit is left. */
export function leaveRoom(signal: AbortSignal, plain: typeof fetch = fetch): typeof fetch {
  let until = 0;
  return async (...request) => {
    for (let leftMs = until - performance.now(); leftMs > 0; leftMs = until - performance.now())
      await setTimeout(leftMs, undefined, { signal });
    const response = await plain(...request);
    const [limit, remaining, seconds] = [
      /q=(\d+)/.exec(response.headers.get('RateLimit-Policy') ?? '')?.[1],
      /r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1],
      /t=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1],
    ].map(Number) as [number, number, number];
    if (remaining < limit * LEFT) until = performance.now() + seconds * 1_000;
    return response;
  };
}
