/** Entity tags: what an answer's body is known by, and the check that a change meets the record its client knows. RFC 9110 §8.8.3, §13.1.1. */
import { createHash } from 'node:crypto';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ApiError } from '../errors.ts';

/** Returns the strong entity tag of a JSON body. */
export function etagOf(json: string): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;
}

/**
 * Throws `precondition_failed` unless an `If-Match` header, where there is one, names `body` as `endpoint` would show it.
 * @param body what a handler of the endpoint answers.
 */
export function requireMatch(ifMatch: string | undefined, { answers }: Endpoint, body: unknown): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const current = etagOf(JSON.stringify(answers[200]?.parse(body)));
  if (ifMatch.split(',').some((tag) => tag.trim() === current)) return;
  throw new ApiError(
    'precondition_failed',
    'It was changed since you read it. Read it again, then repeat the change.',
    {
      headers: { ETag: current },
    },
  );
}
