import { useMutation } from '@tanstack/react-query';
import { OctagonX, Send } from 'lucide-react';
import { retryDeliveryNowMutation, stopDeliveryMutation } from 'conversation-analysis-client/react-query';
import { Button } from '../components/button.tsx';
import { reporting } from '../components/updates.ts';
import { texts } from '../texts/index.ts';

const words = texts.attempts;

/** Buttons that send a pending delivery now or stop it. */
export function DeliveryControls({ deliveryId, size = 'normal' }: { deliveryId: string; size?: 'normal' | 'small' }) {
  const after = reporting('getSessionTimeline', 'getSession', 'listSessionDeliveries', 'getDelivery', 'listDeliveries');
  const sending = useMutation({ ...retryDeliveryNowMutation(), ...after });
  const stopping = useMutation({ ...stopDeliveryMutation(), ...after });
  const isBusy = sending.isPending || stopping.isPending;
  const options = { path: { id: deliveryId } };
  return (
    <>
      <Button
        scope="webhooks:write"
        look={size === 'normal' ? 'primary' : 'plain'}
        size={size}
        disabled={isBusy}
        onClick={() => sending.mutate(options)}
      >
        <Send size={14} aria-hidden />
        {words.sendNow}
      </Button>
      <Button scope="webhooks:write" size={size} disabled={isBusy} onClick={() => stopping.mutate(options)}>
        <OctagonX size={14} aria-hidden />
        {texts.labels.stop}
      </Button>
    </>
  );
}
