/** One attempt to post a webhook: what was sent beside what came back. Shared by the pages of sessions and deliveries. */
import type { DeliveryAttempt } from '../../../clients/typescript/src/index.ts';
import { CodeBlock } from '../components/code-block.tsx';
import { formatDuration } from '../format/durations.ts';
import { texts } from '../texts/index.ts';
import styles from './attempt-view.module.css';

const words = texts.attempts;

/**
 * Shows one attempt.
 * @param payload the bytes that every attempt of the delivery sends; undefined where they are not known.
 */
export function AttemptView({ attempt, payload }: { attempt: DeliveryAttempt; payload?: string | null | undefined }) {
  return (
    <div className={styles['sides']}>
      <section className={styles['side']}>
        <h3>{words.request}</h3>
        <p className={styles['first']}>POST {attempt.url}</p>
        <CodeBlock text={printHeaders(attempt.request_headers)} label={words.requestHeaders} />
        {payload != null && <CodeBlock text={prettyJson(payload)} label={words.requestBody} />}
      </section>
      <section className={styles['side']}>
        <h3>{words.response}</h3>
        <p className={styles['first']}>{summarise(attempt)}</p>
        {attempt.failure && <p className={styles['note']}>{texts.failureAdvice[attempt.failure]}</p>}
        {attempt.response_headers && (
          <CodeBlock text={printHeaders(attempt.response_headers)} label={words.responseHeaders} />
        )}
        {attempt.response_body !== null && attempt.response_body !== '' && (
          <CodeBlock text={attempt.response_body} label={words.responseBody} />
        )}
        {attempt.response_body === '' && <p className={styles['note']}>{words.emptyBody}</p>}
        {attempt.response_truncated && <p className={styles['note']}>{words.truncated}</p>}
      </section>
    </div>
  );
}

/** Returns one line: "HTTP 503 in 212 ms", or what failed. */
export function summarise({ outcome, failure, status_code, duration_ms }: DeliveryAttempt): string {
  const took = duration_ms === null ? '' : words.took(formatDuration(duration_ms));
  if (status_code !== null) return [`HTTP ${status_code}`, took].filter(Boolean).join(' ');
  if (failure) return [texts.failures[failure], took].filter(Boolean).join(' ');
  return outcome === null ? texts.status.running : took;
}

const printHeaders = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** What is sent is one line; what is shown is indented. What is no JSON stays as it is. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
