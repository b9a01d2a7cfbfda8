import type { DeliveryAttempt } from '../../../../clients/typescript/src/index.ts';
import { texts } from '../../texts/index.ts';

/** Returns what an attempt came to in a few words: "HTTP 503", "Timed out", "Delivered". */
export function wordOfAttempt({ failure, status_code, outcome }: DeliveryAttempt): string {
  if (failure === 'http_status' || (failure === null && outcome !== null)) return `HTTP ${status_code ?? ''}`.trim();
  return failure === null ? texts.status.running : texts.failures[failure];
}
