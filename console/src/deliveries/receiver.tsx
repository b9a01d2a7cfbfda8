import { Suspense, useState } from 'react';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';

const ReceiverCode = lazyPart(() => import('./receiver-code.tsx'), 'ReceiverCode');

/** Shows a receiver of webhooks on request. */
export function Receiver() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.deliveries.receiver}</summary>
      <Suspense>{isOpen && <ReceiverCode />}</Suspense>
    </details>
  );
}
