import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import { getDelivery, retryDeliveryNow, testWebhook } from '../../contract/deliveries.ts';
import { send, startTestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import type { StartedProcess } from '../support/started-service.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

/** The attempt's bound in Temporal is 20 s. */
const LOST_TIMEOUT_MS = 60_000;

describe('kill -9 of the worker between the POST and its record', () => {
  let api: RunningApi;
  let receiver: Receiver;
  let worker: StartedProcess | undefined;
  before(async function () {
    this.timeout(0);
    api = await startTestApi();
    receiver = await startReceiver((response, { headers }) => {
      if (headers['x-webhook-attempt'] !== '1') response.end();
    });
  });
  after(async function () {
    this.timeout(0);
    worker?.signal('SIGTERM');
    await worker?.ended;
    await Promise.all([api.stop(), receiver.stop()]);
  });

  it('shows the attempt as worker_lost, and makes the next one under the same X-Webhook-Delivery', async function () {
    this.timeout(0);
    const { user, token } = await createUser();
    const assistant = await createAssistant(user.id, { webhook_url: receiver.url });
    worker = await startWorkerProcess();
    const { body } = await send(api, testWebhook, { token, params: { id: assistant.id } });
    const params = { id: body.delivery_id };
    const read = async () => (await send(api, getDelivery, { token, params })).body;
    await eventually(
      () => receiver.requests.length,
      (count) => count === 1,
    );
    worker.signal('SIGKILL');
    await worker.ended;
    worker = await startWorkerProcess();
    const lost = await eventually(read, ({ attempts }) => attempts[0]?.outcome != null, LOST_TIMEOUT_MS);
    expect(lost.attempts[0]).to.include({ outcome: 'failed', failure: 'worker_lost', status_code: null });
    expect(lost.next_attempt_at).to.be.a('string');
    expect(receiver.requests).to.have.length(1);
    await send(api, retryDeliveryNow, { token, params });
    const delivered = await eventually(read, ({ status }) => status !== 'pending');
    expect(delivered.status).to.equal('delivered');
    expect(delivered.attempts.map(({ failure }) => failure)).to.deep.equal(['worker_lost', null]);
    const [first, second] = receiver.requests as [Receiver['requests'][0], Receiver['requests'][0]];
    expect(second.headers['x-webhook-delivery']).to.equal(first.headers['x-webhook-delivery']);
    expect(second.headers['x-webhook-attempt']).to.equal('2');
    expect(second.body.equals(first.body)).to.equal(true);
  });
});
