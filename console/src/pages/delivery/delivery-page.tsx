/** One delivery: its schedule on an axis of time, and of each attempt the request beside the response. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { getDeliveryOptions, redeliverMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Delivery } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { Countdown } from '../../components/countdown.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Status } from '../../components/status.tsx';
import { TemporalLink } from '../../components/temporal-link.tsx';
import { sayFailure } from '../../components/toasts.tsx';
import { Id, Time } from '../../components/values.tsx';
import { AttemptView } from '../../deliveries/attempt-view.tsx';
import { SteerDelivery } from '../../deliveries/steer-delivery.tsx';
import { usePollInterval } from '../../live/events.ts';
import { useKeys } from '../../palette/use-keys.ts';
import { texts } from '../../texts/index.ts';
import { AttemptAxis } from './attempt-axis.tsx';
import styles from './delivery.module.css';

const route = getRouteApi('/inside/deliveries/$deliveryId');

export function DeliveryPage() {
  const { deliveryId } = route.useParams();
  const { attempt } = route.useSearch();
  const poll = usePollInterval(true);
  const { data, error, refetch } = useQuery({
    ...getDeliveryOptions({ path: { id: deliveryId } }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? poll : false),
  });
  if (error && !data)
    return (
      <Page>
        <Problem error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page>
        <Skeleton lines={6} />
      </Page>
    );
  const chosen = data.attempts.find((each) => each.attempt === attempt) ?? data.attempts.at(-1);
  return (
    <Page>
      <PageHeader
        title={texts.delivery.titleOf(data.event)}
        above={<Link to="/deliveries">{texts.lists.deliveries}</Link>}
        below={<Facts delivery={data} />}
        actions={<Actions delivery={data} />}
      />
      <Panel title={texts.delivery.attempts}>
        <AttemptAxis delivery={data} chosen={chosen?.attempt} />
      </Panel>
      {chosen ? (
        <Panel title={texts.attempts.attempt(chosen.attempt)}>
          <AttemptView attempt={chosen} payload={data.payload} />
        </Panel>
      ) : (
        <Panel>
          <p>{texts.attempts.noAttempt}</p>
        </Panel>
      )}
    </Page>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  const { delivery_id, session_id, assistant_id, replayed_from, stop_reason, next_attempt_at, attempts } = delivery;
  return (
    <div className={styles['facts']}>
      <Status name={delivery.status} attempts={attempts.length} />
      {stop_reason && <span>{texts.stopReasons[stop_reason]}</span>}
      {next_attempt_at && (
        <span>
          {texts.delivery.nextAttempt} <Countdown to={next_attempt_at} />
        </span>
      )}
      <Time at={delivery.created_at} />
      <Id value={delivery_id} label={texts.delivery.id} />
      {session_id && (
        <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
          {texts.deliveries.openSession}
        </Link>
      )}
      <Link to="/assistants/$assistantId" params={{ assistantId: assistant_id }}>
        {texts.delivery.assistant}
      </Link>
      {replayed_from && (
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: replayed_from }}>
          {texts.delivery.original}
        </Link>
      )}
    </div>
  );
}

const Actions = ({ delivery: { delivery_id, status, workflow_id } }: { delivery: Delivery }) => (
  <>
    {status === 'pending' ? <SteerDelivery deliveryId={delivery_id} /> : <Redeliver deliveryId={delivery_id} />}
    <CopyCurl path={`/v1/deliveries/${delivery_id}`} />
    <TemporalLink workflowId={workflow_id} />
  </>
);

function Redeliver({ deliveryId }: { deliveryId: string }) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const redeliver = useMutation({
    ...redeliverMutation(),
    onError: sayFailure,
    onSettled: () => setAsked(false),
    onSuccess: (made) => void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: made.delivery_id } }),
  });
  const send = () => redeliver.mutate({ path: { id: deliveryId } });
  useKeys((key) => {
    if (key === 'r') setAsked(true);
    return key === 'r';
  });
  return (
    <>
      <Button look="primary" aria-keyshortcuts="r" disabled={redeliver.isPending} onClick={send}>
        <RotateCw size={14} aria-hidden />
        {texts.deliveries.redeliver}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={texts.deliveries.redeliverTitle}
        detail={texts.deliveries.redeliverOne}
        action={texts.deliveries.redeliver}
        isBusy={redeliver.isPending}
        onConfirm={send}
      />
    </>
  );
}
