import { RotateCw } from 'lucide-react';
import { ButtonLink } from '../components/button.tsx';
import { texts } from '../texts/index.ts';
import { toMoments, type DeliveriesSearch } from './search.ts';

/** Links to a new batch that redelivers what a list of deliveries shows; by default, what failed. */
export function RedeliverLink({ search, size }: { search: DeliveriesSearch; size?: 'small' }) {
  const { status, assistant_id, session_id, range, created_after, created_before } = search;
  // A session ends when its first delivery is created.
  const ended = toMoments({ range, created_after, created_before });
  const filter = {
    action: 'redeliver',
    reanalysis: 'any',
    delivery_status: status === undefined || status === 'pending' ? 'failed' : status,
    assistant_id,
    session_id: session_id === undefined ? undefined : [session_id],
    completed_after: ended.created_after,
    completed_before: ended.created_before,
  } as const;
  return (
    <ButtonLink to="/batches/new" search={filter} scope="webhooks:write" {...(size && { size })}>
      <RotateCw size={14} aria-hidden />
      {texts.deliveries.redeliverMany}
    </ButtonLink>
  );
}
