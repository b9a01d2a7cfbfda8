import type { DeliveryAttempt, DeliveryDetail } from '../../../../clients/typescript/src/index.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Panel } from '../../components/page.tsx';
import { Duration } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import styles from './delivery.module.css';

/** What was sent beside what came back. Both were written by others: they are shown as text and as nothing else. */
export function AttemptDetail({ delivery, attempt }: { delivery: DeliveryDetail; attempt: DeliveryAttempt }) {
  const { request_headers, response_headers, response_body, response_truncated, status_code, failure, url } = attempt;
  const advice = failure && texts.failureAdvice[failure];
  return (
    <>
      {failure && (
        <p className={styles['advice']}>
          <strong>{texts.failures[failure]}.</strong> {advice}
        </p>
      )}
      <div className={styles['sides']}>
        <Panel
          title={texts.delivery.request}
          actions={
            <CopyButton
              text={toCurl(delivery, attempt)}
              label={texts.delivery.copyCurl}
              word={texts.delivery.copyCurl}
            />
          }
        >
          <p className={styles['line']}>
            <code>POST {url}</code>
          </p>
          <Headers of={request_headers} />
          <Body text={prettyJson(delivery.payload)} label={texts.delivery.requestBody} raw={delivery.payload} />
        </Panel>
        <Panel title={texts.delivery.response} actions={<Duration ms={attempt.duration_ms} />}>
          <p className={styles['line']}>
            <code>{status_code === null ? texts.delivery.noAnswer : `HTTP ${status_code}`}</code>
          </p>
          <Headers of={response_headers ?? {}} />
          {response_body !== null && response_body !== '' && (
            <Body text={prettyJson(response_body)} label={texts.delivery.responseBody} raw={response_body} />
          )}
          {response_truncated && <p className={styles['note']}>{texts.delivery.truncated}</p>}
        </Panel>
      </div>
    </>
  );
}

function Headers({ of }: { of: Record<string, string> }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return null;
  return (
    <dl className={styles['headers']}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const Body = ({ text, label, raw }: { text: string; label: string; raw: string }) => (
  <div className={styles['body']}>
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <CopyButton text={raw} label={`${texts.common.copy}: ${label}`} />
  </div>
);

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The same POST by hand; secrets are masked as they are shown. */
function toCurl({ payload }: DeliveryDetail, { url, request_headers }: DeliveryAttempt): string {
  const headers = Object.entries(request_headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl -i', quoted(url), ...headers, `--data-raw ${quoted(payload)}`].join(' \\\n  ');
}
