import { useQuery } from '@tanstack/react-query';
import { listDeliveriesOptions } from 'conversation-analysis-client/react-query';
import { DataTable } from '../../components/data-table.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';

const MAX_SHOWN = 5;
const POLL_MS = 5_000;
const columns = deliveryColumns.filter(({ key }) => ['status', 'what', 'next', 'created'].includes(key));

/**
 * The newest deliveries with a next attempt.
 * @param count number of all such deliveries.
 */
export function RetryingDeliveries({ from, count }: { from: string; count: number }) {
  const { data } = useQuery({
    ...listDeliveriesOptions({ query: { status: 'pending', created_after: from, limit: MAX_SHOWN } }),
    refetchInterval: POLL_MS,
  });
  if (!data || data.data.length === 0) return null;
  return (
    <>
      <DataTable
        caption={texts.overview.retrying}
        columns={columns}
        rows={data.data}
        rowKey={({ delivery_id }) => delivery_id}
      />
      {count > data.data.length && (
        <p className="note">{texts.overview.newestOf(String(data.data.length), formatNumber(count))}</p>
      )}
    </>
  );
}
