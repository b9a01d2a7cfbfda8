/** One delivery: its attempts, each with its request and response. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { redeliver, type Delivery, type DeliveryDetail, type WebhookPayload } from 'conversation-analysis-client';
import { getDeliveryOptions } from 'conversation-analysis-client/react-query';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader, ParentLink } from '../../components/page-header.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { TemporalLink } from '../../components/temporal-link.tsx';
import { Countdown, Id, Remarks, Time } from '../../components/values.tsx';
import { AttemptAxis } from '../../deliveries/attempt-axis.tsx';
import { AttemptView } from '../../deliveries/attempt-view.tsx';
import { DeliveryControls } from '../../deliveries/delivery-controls.tsx';
import { firstValue } from '../../format/metadata.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { usePollWhile } from '../../live/events.ts';
import { isNotFound } from '../../server/problem.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { texts } from '../../texts/index.ts';

const route = getRouteApi('/inside/deliveries/$deliveryId');
const stopped = texts.stopReasons;

export function DeliveryPage() {
  const { deliveryId } = route.useParams();
  const { attempt } = route.useSearch();
  const delivery = useQuery({
    ...getDeliveryOptions({ path: { id: deliveryId } }),
    refetchInterval: usePollWhile<DeliveryDetail>((data) => data?.status === 'pending'),
  });
  if (isNotFound(delivery.error)) return <NotFound list="deliveries" />;
  return (
    <Page>
      <PageHeader
        title={delivery.data ? texts.delivery.titleOf(nameOf(delivery.data)) : texts.kinds.dlv}
        crumb={<ParentLink to="/deliveries">{texts.common.deliveries}</ParentLink>}
        below={delivery.data && <Facts delivery={delivery.data} />}
        actions={delivery.data && <Actions delivery={delivery.data} />}
        more={delivery.data && <TemporalLink workflowId={delivery.data.workflow_id} />}
      />
      <Loaded query={delivery} lines={6}>
        {(data) => <Attempts delivery={data} wanted={attempt} />}
      </Loaded>
    </Page>
  );
}

/** All attempts, and the details of the requested one (default: the last). */
function Attempts({ delivery, wanted }: { delivery: DeliveryDetail; wanted: number | undefined }) {
  const chosen = delivery.attempts.find(({ attempt }) => attempt === wanted) ?? delivery.attempts.at(-1);
  return (
    <>
      <Panel title={texts.deliveries.attempts}>
        <AttemptAxis delivery={delivery} chosen={chosen?.attempt} />
      </Panel>
      <Panel title={chosen && texts.attempts.attempt(chosen.attempt)}>
        {chosen ? <AttemptView attempt={chosen} payload={delivery.payload} /> : <p>{texts.attempts.noAttempt}</p>}
      </Panel>
    </>
  );
}

/** Returns the first metadata value of the session, usually the ID of the call. Messages for Slack contain none. */
const nameOf = ({ payload, alert, event }: DeliveryDetail) =>
  firstValue((JSON.parse(payload) as WebhookPayload).metadata ?? {}) ?? alert ?? event;

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  const { delivery_id, session_id, assistant_id, replayed_from, stop_reason, next_attempt_at, attempts } = delivery;
  const assistant = useAssistantOptions().find(({ value }) => value === assistant_id);
  return (
    <Remarks>
      <Status name={delivery.status} attempts={attempts.length} />
      {delivery.alert !== null && <bdi>{delivery.alert}</bdi>}
      <code>{delivery.event}</code>
      {stop_reason && <span>{stopped[stop_reason]}</span>}
      {next_attempt_at && (
        <span>
          {texts.deliveries.next} <Countdown to={next_attempt_at} />
        </span>
      )}
      <Time at={delivery.created_at} />
      <Id value={delivery_id} label={texts.attempts.id} />
      {session_id && (
        <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
          {texts.kinds.sess}
        </Link>
      )}
      <Link to="/assistants/$assistantId" params={{ assistantId: assistant_id }} dir="auto">
        {assistant?.label ?? texts.kinds.asst}
      </Link>
      {replayed_from && (
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: replayed_from }}>
          {texts.delivery.original}
        </Link>
      )}
    </Remarks>
  );
}

function Actions({ delivery: { delivery_id: id, status } }: { delivery: Delivery }) {
  const navigate = useNavigate();
  const send = async () => {
    const { data } = await redeliver({ path: { id }, throwOnError: true });
    await navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: data.delivery_id } });
  };
  return status === 'pending' ? (
    <DeliveryControls deliveryId={id} />
  ) : (
    <ConfirmButton
      scope="webhooks:write"
      look="primary"
      shortcut="r"
      title={texts.deliveries.redeliverTitle}
      detail={texts.deliveries.redeliverOne}
      action={texts.deliveries.redeliver}
      run={send}
    >
      <RotateCw size={14} aria-hidden />
      {texts.deliveries.redeliver}
    </ConfirmButton>
  );
}
