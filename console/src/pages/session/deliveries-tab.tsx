import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Delivery, DeliveryList, Session } from 'conversation-analysis-client';
import {
  getDeliveryOptions,
  listSessionDeliveriesOptions,
  redeliverMutation,
} from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Status } from '../../components/status.tsx';
import { showToast } from '../../components/toasts.tsx';
import { reporting } from '../../components/updates.ts';
import { Id, Remarks, Time } from '../../components/values.tsx';
import { AttemptAxis } from '../../deliveries/attempt-axis.tsx';
import { AttemptView } from '../../deliveries/attempt-view.tsx';
import { DeliveryControls } from '../../deliveries/delivery-controls.tsx';
import { usePollWhile } from '../../live/events.ts';
import { texts } from '../../texts/index.ts';
import styles from '../../conversation/tabs.module.css';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = texts.attempts;
const stopped = texts.stopReasons;

export function DeliveriesTab({ session }: { session: Session }) {
  const deliveries = useQuery({
    ...listSessionDeliveriesOptions({ path: { id: session.session_id } }),
    refetchInterval: usePollWhile<DeliveryList>(
      (list) => list?.data.some(({ status }) => status === 'pending') ?? false,
    ),
  });
  return (
    <Loaded query={deliveries}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title={words.none} detail={words.noneWhy} />
        ) : (
          data.map((delivery) => <DeliveryCard key={delivery.delivery_id} delivery={delivery} />)
        )
      }
    </Loaded>
  );
}

/** A delivery, its attempts, and the details of the selected attempt (default: the last). */
function DeliveryCard({ delivery }: { delivery: Delivery }) {
  const { delivery_id: id, status, event, alert, attempts, stop_reason, created_at } = delivery;
  const search = route.useSearch();
  // The list of deliveries does not contain the payloads.
  const { data } = useQuery(getDeliveryOptions({ path: { id } }));
  const wanted = search.delivery === id ? search.attempt : undefined;
  const chosen = attempts.find(({ attempt }) => attempt === wanted) ?? attempts.at(-1);
  return (
    <article className={`stack ${styles['delivery']}`}>
      <header className={`row ${styles['head']}`}>
        <Status name={status} attempts={attempts.length} />
        <code>{event}</code>
        {alert !== null && <strong dir="auto">{alert}</strong>}
        <Time at={created_at} />
        <span className={`row ${styles['actions']}`}>
          {status === 'pending' ? <DeliveryControls deliveryId={id} size="small" /> : <Redeliver id={id} />}
        </span>
      </header>
      <Id value={id} label={words.id} />
      {stop_reason && <Remarks>{stopped[stop_reason]}</Remarks>}
      <AttemptAxis
        delivery={delivery}
        chosen={chosen?.attempt}
        searchOf={(attempt) => ({ tab: 'deliveries', delivery: id, attempt })}
      />
      {chosen ? <AttemptView attempt={chosen} payload={data?.payload} /> : <Remarks>{words.noAttempt}</Remarks>}
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }}>
        {words.open}
      </Link>
    </article>
  );
}

function Redeliver({ id }: { id: string }) {
  const redelivering = useMutation({
    ...redeliverMutation(),
    onSuccess: () => showToast(words.redelivered),
    ...reporting('listSessionDeliveries', 'getSession', 'getSessionTimeline', 'listDeliveries'),
  });
  return (
    <Button
      scope="webhooks:write"
      size="small"
      disabled={redelivering.isPending}
      onClick={() => redelivering.mutate({ path: { id } })}
    >
      {texts.deliveries.redeliver}
    </Button>
  );
}
