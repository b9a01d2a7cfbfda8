import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, Hourglass, LoaderCircle } from 'lucide-react';
import type { Delivery, DeliveryAttempt } from 'conversation-analysis-client';
import { WEBHOOK_DELAYS_MS } from '../../../contract/values/constants.ts';
import { Countdown, Time } from '../components/values.tsx';
import { formatDuration } from '../format/durations.ts';
import { texts } from '../texts/index.ts';
import styles from './attempt-axis.module.css';

interface AttemptAxisProps {
  delivery: Delivery;
  /** The selected attempt. */
  chosen: number | undefined;
}

/** The attempts of a delivery in order, the waits between them, and the attempts still possible. */
export function AttemptAxis({ delivery, chosen }: AttemptAxisProps) {
  const { attempts, status, next_attempt_at } = delivery;
  const coming = status === 'pending' ? WEBHOOK_DELAYS_MS.slice(Math.max(0, attempts.length - 1)) : [];
  /** The wait after each attempt, made or coming, but the last. */
  const gaps = [
    ...attempts.slice(1).map((_, index) => gapBefore(attempts, index + 1)),
    ...coming.slice(attempts.length > 0 ? 0 : 1),
  ];
  return (
    <ol className={styles['axis']} aria-label={texts.deliveries.attempts}>
      {attempts.map((attempt, index) => {
        const isRunning = attempt.outcome === null && attempt.failure === null;
        const Icon = isRunning ? LoaderCircle : attempt.failure ? CircleX : CircleCheck;
        return (
          <li key={attempt.attempt} className={styles['stop']}>
            <Link
              to="/deliveries/$deliveryId"
              params={{ deliveryId: delivery.delivery_id }}
              search={{ attempt: attempt.attempt }}
              replace
              resetScroll={false}
              className={styles['attempt']}
              data-look={isRunning ? 'running' : attempt.failure ? 'bad' : 'good'}
              aria-current={attempt.attempt === chosen ? 'true' : undefined}
            >
              <Icon size={14} aria-hidden />
              <strong>{texts.attempts.attempt(attempt.attempt)}</strong>
              <span>{summarizeAttempt(attempt)}</span>
              <Time at={attempt.started_at} />
            </Link>
            <Gap ms={gaps[index]} />
          </li>
        );
      })}
      {coming.map((delayMs, index) => (
        <li key={delayMs} className={styles['stop']}>
          <span className={styles['attempt']} data-look="coming">
            <Hourglass size={14} aria-hidden />
            <strong>{texts.attempts.attempt(Math.max(1, attempts.length) + index + 1)}</strong>
            <span>
              {index === 0 && next_attempt_at ? <Countdown to={next_attempt_at} /> : texts.delivery.ifItFails}
            </span>
          </span>
          <Gap ms={gaps[attempts.length + index]} />
        </li>
      ))}
    </ol>
  );
}

const Gap = ({ ms }: { ms: number | undefined }) =>
  ms !== undefined && <span className={styles['gap']}>{formatDuration(ms)}</span>;

function gapBefore(attempts: readonly DeliveryAttempt[], index: number): number {
  const [before, after] = attempts.slice(index - 1);
  if (!before || !after) return 0;
  return Math.max(0, Date.parse(after.started_at) - Date.parse(before.started_at) - (before.duration_ms ?? 0));
}

/** Returns the outcome of an attempt, such as "HTTP 503 in 212 ms". A cut-off response with 200 shows its failure. */
export function summarizeAttempt({ outcome, failure, status_code, duration_ms }: DeliveryAttempt): string {
  const took = duration_ms === null ? '' : texts.attempts.took(formatDuration(duration_ms));
  const isCutOff = failure !== null && (status_code ?? 0) < 300;
  const result = isCutOff ? texts.failures[failure] : status_code !== null && `HTTP ${status_code}`;
  if (result) return [result, took].filter(Boolean).join(' ');
  return outcome === null ? texts.status.running : took;
}
