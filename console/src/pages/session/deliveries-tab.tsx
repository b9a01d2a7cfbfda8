import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DeliveryList, Session } from 'conversation-analysis-client';
import { listSessionDeliveriesOptions } from 'conversation-analysis-client/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/values.tsx';
import { usePollWhile } from '../../live/events.ts';
import { texts } from '../../texts/index.ts';

const words = texts.attempts;

/** Links to the deliveries of a session, where their requests and responses are. */
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
          data.map(({ delivery_id: deliveryId, status, attempts, event, alert, stop_reason, created_at }) => (
            <p key={deliveryId} className="row note">
              <Status name={status} attempts={attempts.length} />
              <Link to="/deliveries/$deliveryId" params={{ deliveryId }} dir="auto">
                {alert ?? event}
              </Link>
              <Time at={created_at} />
              {stop_reason && texts.stopReasons[stop_reason]}
            </p>
          ))
        )
      }
    </Loaded>
  );
}
