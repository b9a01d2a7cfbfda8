/**
 * One attempt to post a webhook: what was sent beside what came back. Both were written by others: they are shown as text
 * and as nothing else.
 */
import type { DeliveryAttempt } from '../../../clients/typescript/src/index.ts';
import { CodeBlock } from '../components/code-block.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { texts } from '../texts/index.ts';
import { summariseAttempt } from './summarise-attempt.ts';
import styles from './attempt-view.module.css';

const words = texts.attempts;

interface AttemptViewProps {
  attempt: DeliveryAttempt;
  /** The body of every attempt, byte for byte; undefined until it is read. */
  payload: string | undefined;
}

export function AttemptView({ attempt, payload }: AttemptViewProps) {
  const { url, failure, request_headers, response_headers, response_body, response_truncated } = attempt;
  return (
    <div className={styles['attempt']}>
      {failure && (
        <p className={styles['advice']}>
          <strong>{texts.failures[failure]}.</strong> {texts.failureAdvice[failure]}
        </p>
      )}
      <div className={styles['sides']}>
        <section className={styles['side']}>
          <div className={styles['head']}>
            <h3>{words.request}</h3>
            {payload !== undefined && (
              <CopyButton text={printCurl(attempt, payload)} label={words.copyCurl} word={words.copyCurl} />
            )}
          </div>
          <p className={styles['first']}>POST {url}</p>
          <Headers headers={request_headers} label={words.requestHeaders} />
          {payload !== undefined && <CodeBlock text={indentJson(payload)} copied={payload} label={words.requestBody} />}
        </section>
        <section className={styles['side']}>
          <div className={styles['head']}>
            <h3>{words.response}</h3>
          </div>
          <p className={styles['first']}>{summariseAttempt(attempt)}</p>
          <Headers headers={response_headers ?? {}} label={words.responseHeaders} />
          {response_body !== null && response_body !== '' && (
            <CodeBlock text={indentJson(response_body)} copied={response_body} label={words.responseBody} />
          )}
          {response_body === '' && <p className={styles['note']}>{words.emptyBody}</p>}
          {response_truncated && <p className={styles['note']}>{words.truncated}</p>}
        </section>
      </div>
    </div>
  );
}

function Headers({ headers, label }: { headers: Record<string, string>; label: string }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <dl className={styles['headers']} aria-label={label}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is sent is one line; what is shown is indented. What is no JSON stays as it is. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the same POST as a command; secrets are masked as they are shown. */
function printCurl({ url, request_headers }: DeliveryAttempt, payload: string): string {
  const headers = Object.entries(request_headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return ['curl -i', quote(url), ...headers, `--data-raw ${quote(payload)}`].join(' \\\n  ');
}
