/**
 * Makes the first attempt of a delivery in the activity that stored it:
 * docs/decisions/0013-the-analysis-makes-the-first-attempt.md
 */
import type { WebhookHttp } from '../../runtime/outbound/webhook-http.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { reportingLife } from '../report-life.ts';
import { sendAttempt } from '../webhooks/send-attempt.ts';
import type { AnalysisEnd, AnalysisOutcome, StepInput } from './analyze-conversation.ts';

/**
 * Returns an activity that runs `analyze` and makes the first attempt of the delivery that it stored. What goes wrong
 * here is left to the workflow, which asks for the attempt and finds its row.
 */
export function deliversAtOnce(
  { http, log }: { http: WebhookHttp; log: Log },
  analyze: (input: StepInput) => Promise<AnalysisEnd>,
): (input: StepInput) => Promise<AnalysisOutcome> {
  return async (input) => {
    const { firstAttempt, woken: _woken, ...outcome } = await analyze(input);
    if (!firstAttempt) return outcome;
    const { delivery_id, url, free } = firstAttempt;
    try {
      const ended = await reportingLife(() => sendAttempt({ http }, firstAttempt));
      return { ...outcome, first_attempt: { ...ended, host: new URL(url).host } };
    } catch (err) {
      log.warn({ err, delivery_id }, 'a first attempt was interrupted');
      return outcome;
    } finally {
      free();
    }
  };
}
