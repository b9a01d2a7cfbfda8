/** Deliveries by what they are now, and those that wait for their next attempt. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listDeliveriesOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { DeliveryListItem, StatsTotals } from '../../../../clients/typescript/src/index.ts';
import { DELIVERY_STATUSES } from '../../../../contract/constants.ts';
import { Countdown } from '../../components/countdown.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { Status } from '../../components/status.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { RedeliverMany } from '../deliveries/redeliver-many.tsx';
import type { OverviewRange } from './overview-search.ts';
import styles from './overview.module.css';

const MOST_SHOWN = 5;

interface DeliveryPanelProps {
  counts: StatsTotals['deliveries'];
  range: OverviewRange;
  from: string;
}

export function DeliveryPanel({ counts, range, from }: DeliveryPanelProps) {
  return (
    <section className={styles['section']}>
      <h2>{texts.lists.deliveries}</h2>
      <Figures>
        {DELIVERY_STATUSES.map((status) => (
          <Figure key={status} label={<Status name={status} />}>
            <Link
              to="/deliveries"
              search={{ status, range }}
              aria-label={texts.overview.deliveriesOf(formatNumber(counts[status]), texts.status[status])}
            >
              {formatNumber(counts[status])}
            </Link>
          </Figure>
        ))}
      </Figures>
      {counts.failed > 0 && (
        <div>
          <RedeliverMany search={{ status: 'failed', range }} />
        </div>
      )}
      {counts.pending > 0 && <Waiting from={from} count={counts.pending} />}
    </section>
  );
}

/**
 * Shows the deliveries that wait.
 * @param count of all that wait: when it changes, the list is another.
 */
function Waiting({ from, count }: { from: string; count: number }) {
  const { data } = useQuery({
    ...listDeliveriesOptions({ query: { status: 'pending', created_after: from, limit: MOST_SHOWN } }),
    refetchInterval: 5_000,
  });
  if (!data || data.data.length === 0) return null;
  return (
    <>
      <DataTable
        caption={texts.overview.waiting}
        columns={columns}
        rows={data.data}
        rowKey={({ delivery_id }) => delivery_id}
      />
      {count > data.data.length && (
        <p className={styles['note']}>{texts.overview.newestOf(String(data.data.length), formatNumber(count))}</p>
      )}
    </>
  );
}

const columns: Column<DeliveryListItem>[] = [
  {
    key: 'status',
    title: texts.deliveries.status,
    cell: ({ status, attempt_count }) => <Status name={status} attempts={attempt_count} />,
  },
  {
    key: 'delivery',
    title: texts.deliveries.what,
    isWide: true,
    cell: ({ delivery_id, event }) => (
      <Link className={styles['cut']} to="/deliveries/$deliveryId" params={{ deliveryId: delivery_id }}>
        {event} {delivery_id}
      </Link>
    ),
  },
  {
    key: 'created',
    title: texts.deliveries.created,
    isSecondary: true,
    cell: ({ created_at }) => <Time at={created_at} isRelative />,
  },
  {
    key: 'next',
    title: texts.deliveries.next,
    align: 'end',
    cell: ({ next_attempt_at }) => (next_attempt_at ? <Countdown to={next_attempt_at} /> : <Nothing />),
  },
];
