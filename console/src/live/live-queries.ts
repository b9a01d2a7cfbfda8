/** Reads anew what an event says has changed. Lists look after themselves: nothing may move under the pointer. */
import { useEffect } from 'react';
import { queryClient } from '../server/queries.ts';
import { useEvent } from './events.ts';
import type { BatchEvent, DeliveryEvent, SessionEvent } from './events.ts';

/** Events come in bursts; what they touch is read once for all of them. */
const COALESCE_MS = 250;

const touched = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

function touch(...ids: (string | null)[]): void {
  for (const id of ids) if (id !== null) touched.add(id);
  timer ??= setTimeout(refreshTouched, COALESCE_MS);
}

/**
 * Reads touched queries again. Only those that are on screen are read at once; the others are when they are shown next.
 */
function refreshTouched(): void {
  timer = undefined;
  const ids = new Set(touched);
  touched.clear();
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ids.has((queryKey[0] as { path?: { id?: string } } | undefined)?.path?.id ?? ''),
  });
}

const onSession = ({ session_id }: SessionEvent) => touch(session_id);
const onDelivery = ({ delivery_id, session_id }: DeliveryEvent) => touch(delivery_id, session_id);
const onRedelivery = ({ redelivery_id }: { redelivery_id: string }) => touch(redelivery_id);
const onBatch = ({ batch_id }: BatchEvent) => touch(batch_id);

export function useLiveQueries(): void {
  useEvent('session', onSession);
  useEvent('delivery', onDelivery);
  useEvent('redelivery', onRedelivery);
  useEvent('batch', onBatch);
  useEffect(
    () => () => {
      clearTimeout(timer);
      timer = undefined;
    },
    [],
  );
}
