import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { FakeServer, VendorBehaviour } from './fake-vendor.ts';

interface Vendor {
  server(): FakeServer;
  ask(fields: { signal: AbortSignal }): Promise<unknown>;
  answersWell: VendorBehaviour;
}

/** States what every vendor's adapter does with a call that is canceled. */
export function describeCancellation({ server, ask, answersWell }: Vendor): void {
  describe('cancellation', () => {
    it('ends a call under way with its own reason, and closes the socket', async () => {
      const controller = new AbortController();
      const asked = new Promise<ServerResponse>((resolve) => server().behave((response) => resolve(response)));
      const call = ask({ signal: controller.signal }).then(
        () => 'an answer',
        (reason: unknown) => reason,
      );
      const response = await asked;
      const closed = once(response, 'close');
      controller.abort(new Error('canceled by hand'));
      expect(await call).to.equal(controller.signal.reason);
      await closed;
      expect(server().requests).to.have.length(1);
    });

    it('before the call prevents it', async () => {
      server().behave(answersWell);
      const reason = new Error('canceled by hand');
      const thrown = await ask({ signal: AbortSignal.abort(reason) }).catch((error: unknown) => error);
      expect(thrown).to.equal(reason);
      expect(server().requests).to.have.length(0);
    });
  });
}
