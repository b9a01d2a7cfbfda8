import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { retryDeliveryNow } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { toFailure } from '../../server/problem.ts';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

/** Number of requests at the same time. */
const PARALLEL = 4;

/** Starts the next attempt of pending deliveries. Those that ended in the meantime are skipped. */
async function sendAll(ids: readonly string[]): Promise<void> {
  const left = [...ids];
  const sendNext = async (): Promise<void> => {
    const id = left.shift();
    if (id === undefined) return;
    await retryDeliveryNow({ path: { id }, throwOnError: true }).catch((error: unknown) => {
      if (toFailure(error).status !== 409) throw error;
    });
    await sendNext();
  };
  await Promise.all(Array.from({ length: PARALLEL }, sendNext));
}

export function SendNow({ ids }: { ids: readonly string[] }) {
  const send = useMutation({
    mutationFn: sendAll,
    onError: showFailure,
    onSettled: () => refresh('listDeliveries', 'getDelivery'),
  });
  return (
    <Button scope="webhooks:write" size="small" disabled={send.isPending} onClick={() => send.mutate(ids)}>
      <Send size={14} aria-hidden />
      {texts.attempts.sendNow}
    </Button>
  );
}
