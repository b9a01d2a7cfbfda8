import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, Hourglass, LoaderCircle } from 'lucide-react';
import type { Delivery } from '../../../../clients/typescript/src/index.ts';
import { WEBHOOK_DELAYS_MS } from '../../../../contract/constants.ts';
import { Countdown } from '../../components/countdown.tsx';
import { Time } from '../../components/values.tsx';
import { summariseAttempt } from '../../deliveries/summarise-attempt.ts';
import { formatDuration } from '../../format/durations.ts';
import { texts } from '../../texts/index.ts';
import styles from './delivery.module.css';

/** The attempts in their order and the waits between them, those that may still come included. */
export function AttemptAxis({ delivery, chosen }: { delivery: Delivery; chosen: number | undefined }) {
  const { delivery_id, attempts, status, next_attempt_at } = delivery;
  const isOpen = status === 'pending';
  const coming = isOpen ? WEBHOOK_DELAYS_MS.slice(Math.max(0, attempts.length - 1)) : [];
  return (
    <ol className={styles['axis']} aria-label={texts.delivery.attempts}>
      {attempts.map((attempt, index) => {
        const isRunning = attempt.outcome === null && attempt.failure === null;
        const Icon = isRunning ? LoaderCircle : attempt.failure ? CircleX : CircleCheck;
        return (
          <li key={attempt.attempt} className={styles['stop']}>
            {index > 0 && <Gap ms={gapBefore(delivery, index)} />}
            <Link
              to="/deliveries/$deliveryId"
              params={{ deliveryId: delivery_id }}
              search={{ attempt: attempt.attempt }}
              replace
              className={styles['attempt']}
              data-look={isRunning ? 'running' : attempt.failure ? 'bad' : 'good'}
              aria-current={attempt.attempt === chosen ? 'true' : undefined}
            >
              <Icon size={14} aria-hidden />
              <strong>{texts.attempts.attempt(attempt.attempt)}</strong>
              <span>{summariseAttempt(attempt)}</span>
              <Time at={attempt.started_at} />
            </Link>
          </li>
        );
      })}
      {coming.map((delayMs, index) => (
        <li key={`coming-${delayMs}`} className={styles['stop']}>
          {(index > 0 || attempts.length > 0) && <Gap ms={delayMs} />}
          <span className={styles['attempt']} data-look="coming">
            <Hourglass size={14} aria-hidden />
            <strong>{texts.attempts.attempt(Math.max(1, attempts.length) + index + 1)}</strong>
            <span>
              {index === 0 && next_attempt_at ? <Countdown to={next_attempt_at} /> : texts.delivery.ifItFails}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

const Gap = ({ ms }: { ms: number }) => <span className={styles['gap']}>{formatDuration(ms)}</span>;

function gapBefore({ attempts }: Delivery, index: number): number {
  const [before, after] = [attempts[index - 1], attempts[index]];
  if (!before || !after) return 0;
  return Math.max(0, Date.parse(after.started_at) - Date.parse(before.started_at) - (before.duration_ms ?? 0));
}
