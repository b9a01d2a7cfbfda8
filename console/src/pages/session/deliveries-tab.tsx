import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Delivery, Session } from '../../../../clients/typescript/src/index.ts';
import {
  getDeliveryOptions,
  listSessionDeliveriesOptions,
  redeliverMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Status } from '../../components/status.tsx';
import { say, sayFailure } from '../../components/toasts.tsx';
import { Id, Time } from '../../components/values.tsx';
import { AttemptView } from '../../deliveries/attempt-view.tsx';
import { SteerDelivery } from '../../deliveries/steer-delivery.tsx';
import { summariseAttempt } from '../../deliveries/summarise-attempt.ts';
import { useNow } from '../../format/clock.ts';
import { formatCountdown } from '../../format/durations.ts';
import { usePollInterval } from '../../live/events.ts';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import styles from './deliveries-tab.module.css';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = texts.attempts;

export function DeliveriesTab({ session }: { session: Session }) {
  const interval = usePollInterval(true);
  const { data, error, refetch } = useQuery({
    ...listSessionDeliveriesOptions({ path: { id: session.session_id } }),
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'pending') ? interval : false),
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  if (data.data.length === 0) return <EmptyState title={words.none} detail={words.noneWhy} />;
  return data.data.map((delivery) => <DeliveryCard key={delivery.delivery_id} delivery={delivery} />);
}

function DeliveryCard({ delivery }: { delivery: Delivery }) {
  const { delivery_id, status, event, attempts: made, created_at } = delivery;
  return (
    <article className={styles['delivery']}>
      <header className={styles['head']}>
        <Status name={status} attempts={made.length} />
        <code>{event}</code>
        <Time at={created_at} />
        <Next delivery={delivery} />
        <span className={styles['actions']}>
          {status === 'pending' ? (
            <SteerDelivery deliveryId={delivery_id} size="small" />
          ) : (
            <Redeliver deliveryId={delivery_id} />
          )}
        </span>
      </header>
      <Id value={delivery_id} label={words.id} />
      {delivery.stop_reason && <p className={styles['note']}>{texts.stopReasons[delivery.stop_reason]}</p>}
      <Attempts delivery={delivery} />
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery_id }}>
        {words.open}
      </Link>
    </article>
  );
}

function Next({ delivery: { status, next_attempt_at } }: { delivery: Delivery }) {
  const isWaiting = status === 'pending' && next_attempt_at !== null;
  const now = useNow(isWaiting);
  if (!isWaiting) return null;
  const leftMs = Date.parse(next_attempt_at) - now;
  return <span className={styles['next']}>{leftMs > 0 ? words.nextIn(formatCountdown(leftMs)) : words.due}</span>;
}

function Redeliver({ deliveryId }: { deliveryId: string }) {
  const redelivering = useMutation({
    ...redeliverMutation(),
    onSuccess: () => say(words.redelivered),
    onError: sayFailure,
    onSettled: () => refresh('listSessionDeliveries', 'getSession', 'getSessionTimeline', 'listDeliveries'),
  });
  return (
    <Button
      size="small"
      disabled={redelivering.isPending}
      onClick={() => redelivering.mutate({ path: { id: deliveryId } })}
    >
      {texts.deliveries.redeliver}
    </Button>
  );
}

/** The attempts beside each other; the chosen one, which is the last unless the address says otherwise, below. */
function Attempts({ delivery }: { delivery: Delivery }) {
  const { sessionId } = route.useParams();
  const search = route.useSearch();
  const { attempts: made, delivery_id } = delivery;
  // A list of deliveries comes without their payloads.
  const { data } = useQuery(getDeliveryOptions({ path: { id: delivery_id } }));
  const wanted = search.delivery === delivery_id ? search.attempt : undefined;
  const chosen = made.find(({ attempt }) => attempt === wanted) ?? made.at(-1);
  if (!chosen) return <p className={styles['note']}>{words.noAttempt}</p>;
  return (
    <>
      <div className={styles['attempts']}>
        {made.map((attempt) => (
          <Link
            key={attempt.attempt}
            className={styles['attempt']}
            to="/sessions/$sessionId"
            params={{ sessionId }}
            search={{ tab: 'deliveries', delivery: delivery_id, attempt: attempt.attempt }}
            replace
            resetScroll={false}
            aria-current={attempt === chosen ? 'true' : undefined}
          >
            {words.attempt(attempt.attempt)}
            <small>{summariseAttempt(attempt)}</small>
          </Link>
        ))}
      </div>
      <AttemptView attempt={chosen} payload={data?.payload} />
    </>
  );
}
