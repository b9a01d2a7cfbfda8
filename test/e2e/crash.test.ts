import { expect } from 'chai';
import { getSession } from '../../contract/sessions.ts';
import { listSessionDeliveries } from '../../contract/deliveries.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { addAssistant, newDirectory, register, removeDirectories, startService } from '../support/started-service.ts';
import type { TestService } from '../support/started-service.ts';

const SESSIONS = 10;

/** The worker's death is seen after its heartbeat time-out, 15 s, and that of its sticky queue, 10 s. */
const RECOVERY_TIMEOUT_MS = 90_000;

describe('kill -9 of the service, PostgreSQL and Temporal at once', () => {
  let receiver: Receiver;
  let service: TestService | undefined;
  before(async () => {
    receiver = await startReceiver();
  });
  after(async function () {
    this.timeout(0);
    await service?.stop();
    await receiver.stop();
    removeDirectories();
  });

  it('loses none of ten sessions that wait for a slow vendor, and delivers each once', async function () {
    this.timeout(0);
    const directory = newDirectory();
    const first = (service = await startService(directory));
    const { token } = await register(first);
    const assistant = await addAssistant(first, token, { webhook_url: receiver.url });
    const ids = await Promise.all(
      Array.from({ length: SESSIONS }, async (_, index) => {
        const text = `Call ${index} [vendor delay_ms=5000]`;
        const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text }] };
        const headers = { Prefer: 'respond-async' };
        return (await send(first, submitTextRequest, { token, headers, body })).body.session_id;
      }),
    );
    const statuses = (at: TestService) =>
      Promise.all(ids.map(async (id) => (await send(at, getSession, { token, params: { id } })).body.status));
    await eventually(
      () => statuses(first),
      (all) => all.every((status) => status === 'analyzing'),
    );

    await first.crash();
    expect(receiver.requests).to.have.length(0);
    const second = (service = await startService(directory));

    const ended = await eventually(
      () => statuses(second),
      (all) => all.every((status) => !['queued', 'analyzing'].includes(status)),
      RECOVERY_TIMEOUT_MS,
    );
    expect(new Set(ended)).to.deep.equal(new Set(['completed']));
    const deliveries = await eventually(
      () =>
        Promise.all(
          ids.map(async (id) => (await send(second, listSessionDeliveries, { token, params: { id } })).body.data),
        ),
      (all) => all.flat().every(({ status }) => status === 'delivered'),
      RECOVERY_TIMEOUT_MS,
    );
    expect(deliveries.map(({ length }) => length)).to.deep.equal(ids.map(() => 1));
    expect(deliveries.flat().map(({ attempts }) => attempts.length)).to.deep.equal(ids.map(() => 1));
    const posted = receiver.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { session_id: string }).session_id,
    );
    expect(posted.sort()).to.deep.equal([...ids].sort());
  });
});
