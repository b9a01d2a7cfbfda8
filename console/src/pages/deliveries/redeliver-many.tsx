/** Redelivers many deliveries that have ended. Shows their number before, and the progress during the redelivery. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import {
  cancelRedeliveryMutation,
  getRedeliveryOptions,
  listRedeliveriesOptions,
  redeliverManyMutation,
} from 'conversation-analysis-client/react-query';
import { redeliverMany } from 'conversation-analysis-client';
import type { Redelivery, RedeliveryInput } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { Remarks } from '../../components/values.tsx';
import { serverNow } from '../../format/clock.ts';
import { usePreferences } from '../../format/preferences.ts';
import { formatShortTime } from '../../format/times.ts';
import { usePollInterval } from '../../live/events.ts';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { toMoments } from '../lists/search.ts';
import type { DeliveriesSearch } from '../lists/search.ts';

export function RedeliverMany({ search }: { search: DeliveriesSearch }) {
  const [input, setInput] = useState<RedeliveryInput>();
  const running = useQuery(listRedeliveriesOptions({ query: { limit: 1 } }));
  const latest = running.data?.data[0];
  return (
    <>
      {latest?.status === 'running' && <Progress id={latest.redelivery_id} />}
      {/* A click fixes the times of the range. The redelivery then sends exactly the counted deliveries. */}
      <Button scope="webhooks:write" onClick={() => setInput(toInput(search))}>
        <RotateCw size={14} aria-hidden />
        {texts.deliveries.redeliverMany}
      </Button>
      {input && <Confirm input={input} onClose={() => setInput(undefined)} />}
    </>
  );
}

/** Redelivers the selected deliveries. */
export function RedeliverSelected({ ids }: { ids: readonly string[] }) {
  const [input, setInput] = useState<RedeliveryInput>();
  return (
    <>
      <Button scope="webhooks:write" size="small" onClick={() => setInput({ delivery_id: [...ids] })}>
        {texts.deliveries.redeliver}
      </Button>
      {input && <Confirm input={input} onClose={() => setInput(undefined)} />}
    </>
  );
}

function toInput({ status, assistant_id, range, created_after, created_before }: DeliveriesSearch): RedeliveryInput {
  const { created_after: from, created_before: until } = toMoments({ range, created_after, created_before });
  return {
    status: status === 'stopped' ? 'stopped' : 'failed',
    ...(assistant_id !== undefined && { assistant_id }),
    ...(from !== undefined && { created_after: from }),
    created_before: until ?? new Date().toISOString(),
  };
}

function Confirm({ input, onClose }: { input: RedeliveryInput; onClose: () => void }) {
  const { timeZone } = usePreferences();
  const count = useQuery({
    queryKey: ['redeliver-count', input],
    queryFn: async ({ signal }) => {
      const { data } = await redeliverMany({ body: { ...input, dry_run: true }, signal, throwOnError: true });
      return data.total;
    },
  });
  const start = useMutation({
    ...redeliverManyMutation(),
    onSuccess: () => {
      void refresh('listRedeliveries');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.deliveries.redeliverTitle}
      detail={
        <Loaded query={count} lines={2}>
          {(total) =>
            input.delivery_id
              ? texts.deliveries.redeliverSelected(total)
              : texts.deliveries.redeliverDetail({
                  total,
                  status: texts.status[input.status ?? 'failed'],
                  from: input.created_after ? formatShortTime(input.created_after, timeZone, serverNow()) : null,
                  ofOne: input.assistant_id !== undefined,
                })
          }
        </Loaded>
      }
      action={texts.deliveries.redeliver}
      isBusy={start.isPending || !count.data}
      error={start.error}
      onConfirm={() => start.mutate({ body: input })}
    />
  );
}

function Progress({ id }: { id: string }) {
  const { data } = useQuery({ ...getRedeliveryOptions({ path: { id } }), refetchInterval: usePollInterval() });
  const cancel = useMutation({
    ...cancelRedeliveryMutation(),
    onError: showFailure,
    onSuccess: () => refresh('getRedelivery'),
  });
  if (!data) return null;
  return (
    <Remarks>
      <meter min={0} max={data.total} value={countEnded(data)} aria-label={texts.deliveries.redeliverMany} />
      <span role="status">{texts.deliveries.progress(countEnded(data), data.total, data.failed)}</span>
      {data.status === 'running' && (
        <Button scope="webhooks:write" size="small" onClick={() => cancel.mutate({ path: { id } })}>
          {texts.common.cancel}
        </Button>
      )}
    </Remarks>
  );
}

const countEnded = ({ delivered, failed, stopped }: Redelivery) => delivered + failed + stopped;
