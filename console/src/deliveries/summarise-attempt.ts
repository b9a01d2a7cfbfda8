import type { DeliveryAttempt } from '../../../clients/typescript/src/index.ts';
import { formatDuration } from '../format/durations.ts';
import { texts } from '../texts/index.ts';

/** Returns what an attempt came to in one line: "HTTP 503 in 212 ms", or what failed. */
export function summariseAttempt({ outcome, failure, status_code, duration_ms }: DeliveryAttempt): string {
  const took = duration_ms === null ? '' : texts.attempts.took(formatDuration(duration_ms));
  if (status_code !== null) return [`HTTP ${status_code}`, took].filter(Boolean).join(' ');
  if (failure) return [texts.failures[failure], took].filter(Boolean).join(' ');
  return outcome === null ? texts.status.running : took;
}
