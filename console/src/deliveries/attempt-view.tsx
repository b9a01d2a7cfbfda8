import { Fragment } from 'react';
import type { DeliveryAttempt } from 'conversation-analysis-client';
import { CodeBlock } from '../components/code-block.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { texts } from '../texts/index.ts';
import { summarizeAttempt } from './attempt-axis.tsx';
import styles from './attempt-view.module.css';

const words = texts.attempts;
const advice = texts.failureAdvice;

interface AttemptViewProps {
  attempt: DeliveryAttempt;
  /** The request body of all attempts; undefined until loaded. */
  payload: string | undefined;
}

/** The request and the response of a webhook attempt. Their content is untrusted and shown as plain text. */
export function AttemptView({ attempt, payload }: AttemptViewProps) {
  const { url, failure, failure_code, request_headers, response_headers, response_body, response_truncated } = attempt;
  return (
    <div className="stack">
      {failure && (
        <p className={styles['advice']}>
          <strong>{texts.failures[failure]}.</strong>{' '}
          {(failure === 'tls' && tlsAdvice(failure_code)) || advice[failure]}{' '}
          {failure_code && <code>{failure_code}</code>}
        </p>
      )}
      <div className={styles['sides']}>
        <section className={`stack ${styles['side']}`}>
          <div className={`row apart ${styles['head']}`}>
            <h3>{words.request}</h3>
            {payload !== undefined && (
              <CopyButton
                text={printCurl(attempt, payload)}
                label={texts.labels.copyCurl}
                word={texts.labels.copyCurl}
              />
            )}
          </div>
          <code>POST {url}</code>
          <Headers headers={request_headers} label={words.requestHeaders} />
          <Body text={payload} label={words.requestBody} />
        </section>
        {response_headers && (
          <section className={`stack ${styles['side']}`}>
            <h3 className={`row apart ${styles['head']}`}>{words.response}</h3>
            <code>{summarizeAttempt(attempt)}</code>
            <Headers headers={response_headers} label={words.responseHeaders} />
            <Body text={response_body || undefined} label={words.responseBody} />
            {response_body === '' && <p className="note">{words.emptyBody}</p>}
            {response_truncated && <p className="note">{words.truncated}</p>}
          </section>
        )}
      </div>
    </div>
  );
}

/** What to do about a TLS error, by its code; undefined: the code explains nothing. */
const tlsAdvice = (code: string | null) => TLS_ADVICE.find(([codes]) => codes.test(code ?? ''))?.[1];

const TLS_ADVICE: [RegExp, string][] = [
  [/^(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNEXPECTED_MESSAGE)$/, texts.tlsAdvice.noTls],
  [
    /^ALERT_(HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED|BAD_CERTIFICATE|NO_CERTIFICATE)$/,
    texts.tlsAdvice.clientCertificate,
  ],
  [/PROTOCOL|VERSION_TOO_LOW/, texts.tlsAdvice.oldVersion],
  [/^CERT_HAS_EXPIRED$/, texts.tlsAdvice.expired],
  [/TLS_CERT|HOSTNAME|UNRECOGNIZED_NAME/, texts.tlsAdvice.otherName],
  [/SELF_SIGNED|UNABLE_TO/, texts.tlsAdvice.unknownIssuer],
];

const Body = ({ text, label }: { text: string | undefined; label: string }) =>
  text !== undefined && <CodeBlock text={indentJson(text)} copied={text} label={label} />;

function Headers({ headers, label }: { headers: Record<string, string>; label: string }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <dl className={styles['headers']} aria-label={label}>
      {entries.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Returns JSON with indentation, and other text unchanged. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Returns the text in single quotes. The shell expands nothing in it. */
const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the request as a command, with masked secrets. */
function printCurl({ url, request_headers }: DeliveryAttempt, payload: string): string {
  const headers = Object.entries(request_headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`);
  return ['curl -i', quoteForShell(url), ...headers, `--data-raw ${quoteForShell(payload)}`].join(' \\\n  ');
}
