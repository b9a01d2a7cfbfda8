import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import pLimit from 'p-limit';
import { retryDeliveryNow } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { reporting } from '../../components/updates.ts';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';

const limit = pLimit(4);

/** Starts the next attempt of a pending delivery, unless it ended in the meantime. */
const sendNow = (id: string) =>
  limit(() =>
    retryDeliveryNow({ path: { id }, throwOnError: true }).catch((error: unknown) => {
      if (toFailure(error).status !== 409) throw error;
    }),
  );

export function SendNow({ ids }: { ids: readonly string[] }) {
  const send = useMutation({
    mutationFn: () => Promise.all(ids.map(sendNow)),
    ...reporting('listDeliveries', 'getDelivery'),
  });
  return (
    <Button scope="webhooks:write" size="small" disabled={send.isPending} onClick={() => send.mutate()}>
      <Send size={14} aria-hidden />
      {texts.attempts.sendNow}
    </Button>
  );
}
