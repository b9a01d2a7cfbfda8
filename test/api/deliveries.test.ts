import { expect } from 'chai';
import { submitTextRequest } from '../../contract/requests.ts';
import { getDelivery, listSessionDeliveries } from '../../contract/deliveries.ts';
import type { Delivery } from '../../contract/deliveries.ts';
import { createAssistant as createAssistantEndpoint } from '../../contract/assistants.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createDelivery, createSession, createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Answering, Receiver } from '../support/receiver.ts';
import { useSharedService } from '../support/shared-service.ts';

const SECRET = 'whsec-never-to-be-seen';
const SETTINGS = { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.' };

describe('Deliveries', () => {
  const service = useSharedService();
  let receiver: Receiver | undefined;
  let user_id: string;
  let token: string;
  beforeEach(async () => {
    const created = await createUser();
    [user_id, token] = [created.user.id, created.token];
  });
  afterEach(async () => {
    await receiver?.stop();
    receiver = undefined;
  });

  const read = async (id: string) => (await send(service.api, getDelivery, { token, params: { id } })).body;

  /** A session's first delivery, after its first attempt. */
  async function deliver(answer?: Answering): Promise<Delivery> {
    receiver = await startReceiver(answer);
    const assistant = await send(service.api, createAssistantEndpoint, {
      token,
      body: { ...SETTINGS, webhook_url: `${receiver.url}/hooks?key=value`, webhook_secret: SECRET },
    });
    const { body } = await send(service.api, submitTextRequest, {
      token,
      body: { assistant_id: assistant.body.id, conversation: [{ role: 'client', text: 'Hello.' }] },
    });
    return eventually(
      () => read(body.delivery?.delivery_id ?? ''),
      ({ attempts }) => attempts[0]?.outcome != null,
    );
  }

  describe('GET /v1/deliveries/{id}', () => {
    it('§6.4 shows an attempt as it was: what was sent, what came back, how long it took', async () => {
      const delivery = await deliver((response) => {
        response.setHeader('X-Receiver', 'r').end('thank you');
      });
      expect(delivery).to.include({ event: 'session.completed', status: 'delivered', stop_reason: null });
      expect(delivery).to.include({ next_attempt_at: null });
      expect(delivery.ended_at).to.be.a('string');
      expect(delivery.attempts).to.have.length(1);
      const [attempt] = delivery.attempts;
      expect(attempt).to.include({ attempt: 1, outcome: 'succeeded', failure: null, status_code: 200 });
      expect(attempt).to.include({ url: `${receiver?.url}/hooks?key=value`, next_attempt_at: null });
      expect(attempt).to.include({ response_body: 'thank you', response_truncated: false });
      expect(attempt?.response_headers).to.include({ 'x-receiver': 'r' });
      expect(attempt?.duration_ms).to.be.at.least(0);
    });

    it('shows the headers that were sent, the secret in none of them', async () => {
      const delivery = await deliver();
      const sent = receiver?.requests[0]?.headers ?? {};
      expect(sent.authorization).to.equal(`Bearer ${SECRET}`);
      const shown = Object.entries(delivery.attempts[0]?.request_headers ?? {});
      const names = shown.map(([name]) => name.toLowerCase());
      expect(names).to.include.members(['authorization', 'content-type', 'x-webhook-event', 'x-webhook-delivery']);
      for (const [name, value] of shown) {
        const isSecret = name.toLowerCase() === 'authorization';
        expect(value, name).to.equal(isSecret ? 'Bearer ***' : sent[name.toLowerCase()]);
      }
      expect(JSON.stringify(delivery)).not.to.contain(SECRET);
      const rows = await DeliveryAttemptModel.query().where({ delivery_id: delivery.delivery_id });
      expect(JSON.stringify(rows)).not.to.contain(SECRET);
    });

    it('shows the body that was sent, byte for byte', async () => {
      const { delivery_id } = await deliver();
      const { payload } = (await send(service.api, getDelivery, { token, params: { id: delivery_id } })).body;
      expect(Buffer.from(payload)).to.deep.equal(receiver?.requests[0]?.body);
    });

    it('§6.4 shows a failed attempt, and the next one thirty seconds later', async () => {
      const delivery = await deliver((response) => {
        response.writeHead(503, { 'Retry-After': '1' }).end('x'.repeat(20_000));
      });
      expect(delivery).to.include({ status: 'pending', ended_at: null });
      const [attempt] = delivery.attempts;
      expect(attempt).to.include({ outcome: 'failed', failure: 'http_status', status_code: 503 });
      expect(attempt).to.include({ response_body: 'x'.repeat(16 * 1024), response_truncated: true });
      expect(attempt?.next_attempt_at).to.equal(delivery.next_attempt_at);
      const ended = Date.parse(attempt?.started_at ?? '') + (attempt?.duration_ms ?? 0);
      expect(Date.parse(delivery.next_attempt_at ?? '') - ended).to.be.within(29_000, 35_000);
    });

    it('shows attempts in their order, and one that runs without an end', async () => {
      const session = await createSession(await createAssistant(user_id));
      const { id } = await createDelivery(session);
      const request_headers = { Authorization: 'Bearer ***' };
      for (const attempt of [2, 1, 3]) {
        await DeliveryAttemptModel.open({ delivery_id: id, attempt, url: 'https://example.com/', request_headers });
      }
      const { attempts } = await read(id);
      expect(attempts.map(({ attempt }) => attempt)).to.deep.equal([1, 2, 3]);
      const unknown = { outcome: null, failure: null, status_code: null, duration_ms: null };
      expect(attempts[2]).to.deep.include({ ...unknown, response_headers: null, response_body: null });
    });

    it('shows why a delivery was stopped', async () => {
      const { id } = await createDelivery(await createSession(await createAssistant(user_id)));
      await DeliveryModel.patchPending(id, {
        status: 'stopped',
        stop_reason: 'assistant_deleted',
        next_attempt_at: null,
      });
      expect(await read(id)).to.include({ status: 'stopped', stop_reason: 'assistant_deleted', next_attempt_at: null });
    });
  });

  describe('GET /v1/sessions/{id}/deliveries', () => {
    it('lists the deliveries of that session alone, newest first, with their attempts', async () => {
      const assistant = await createAssistant(user_id);
      const [session, other] = [await createSession(assistant), await createSession(assistant)];
      const ids = [(await createDelivery(session)).id, (await createDelivery(session)).id];
      await createDelivery(other);
      const attempt = { attempt: 1, url: 'https://example.com/', request_headers: {} };
      await DeliveryAttemptModel.open({ delivery_id: ids[0] ?? '', ...attempt });
      const { body } = await send(service.api, listSessionDeliveries, { token, params: { id: session.id } });
      expect(body.data.map(({ delivery_id }) => delivery_id)).to.deep.equal(ids.toReversed());
      expect(body.data.map(({ attempts }) => attempts.length)).to.deep.equal([0, 1]);
      const { payload: _payload, ...listed } = await read(ids[0] ?? '');
      expect(body.data[1]).to.deep.equal(listed);
      expect(body.next_cursor).to.equal(null);
    });

    it('is empty for a session without a webhook', async () => {
      const { id } = await createSession(await createAssistant(user_id));
      const { body } = await send(service.api, listSessionDeliveries, { token, params: { id } });
      expect(body).to.deep.equal({ data: [], next_cursor: null });
    });
  });
});
