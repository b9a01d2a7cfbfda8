import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  getDelivery,
  listDeliveries,
  redeliver,
  retryDeliveryNow,
  stopDelivery,
  testWebhook,
  TestWebhookPayloadSchema,
} from '../../contract/deliveries.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { createSecretBox } from '../../runtime/secrets.ts';
import { send, testConfig } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createDelivery, createSession, createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Answering, Receiver } from '../support/receiver.ts';
import { shownBy } from '../support/search-attributes.ts';
import { testTemporal } from '../support/temporal.ts';
import { useSharedService } from '../support/shared-service.ts';

const SECRET = 'whsec-of-the-consumer';

describe('Steering deliveries', () => {
  const service = useSharedService();
  let receiver: Receiver;
  let answer: Answering;
  let user_id: string;
  let token: string;
  beforeEach(async () => {
    answer = (response) => response.end();
    receiver = await startReceiver((response, request) => answer(response, request));
    const created = await createUser();
    [user_id, token] = [created.user.id, created.token];
  });
  afterEach(() => receiver.stop());

  const refuse: Answering = (response) => response.writeHead(503).end();
  const read = async (id: string) => (await send(service.api, getDelivery, { token, params: { id } })).body;

  const newAssistant = async () => {
    const assistant = await createAssistant(user_id, { webhook_url: `${receiver.url}/hook` });
    const webhook_secret = createSecretBox(testConfig().encryptionKeys).seal(SECRET, assistant.id);
    await assistant.$query().patch({ webhook_secret });
    return assistant;
  };

  /** The first delivery of a new session, after its first attempt. */
  async function deliver() {
    const assistant = await newAssistant();
    const { body } = await send(service.api, submitTextRequest, {
      token,
      body: { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'Hello.' }] },
    });
    return eventually(
      () => read(body.delivery?.delivery_id ?? ''),
      ({ attempts }) => attempts[0]?.outcome != null,
    );
  }

  const ended = (id: string) =>
    eventually(
      () => read(id),
      ({ status }) => status !== 'pending',
    );

  describe('POST /v1/deliveries/{id}/redeliver', () => {
    it('sends the same bytes as a new delivery that names the old one, in a workflow of its own', async () => {
      const original = await deliver();
      const { status, headers, body } = await send(service.api, redeliver, {
        token,
        params: { id: original.delivery_id },
      });
      expect(status).to.equal(201);
      expect(headers.get('location')).to.equal(`/api/v1/deliveries/${body.delivery_id}`);
      expect(body.delivery_id).not.to.equal(original.delivery_id);
      expect(body).to.include({ replayed_from: original.delivery_id, workflow_id: body.delivery_id });
      expect(body).to.include({ session_id: original.session_id, event: original.event });
      expect(await ended(body.delivery_id)).to.include({ status: 'delivered' });
      const [first, second] = receiver.requests as [Receiver['requests'][0], Receiver['requests'][0]];
      expect(second.body.equals(first.body)).to.equal(true);
      expect(second.headers).to.include({
        'x-webhook-delivery': body.delivery_id,
        'x-webhook-replayed-from': original.delivery_id,
        'x-webhook-event': 'session.completed',
        'x-webhook-attempt': '1',
      });
      expect(first.headers).not.to.have.property('x-webhook-replayed-from');
      const { temporal } = await testTemporal();
      const handle = temporal.client.workflow.getHandle(body.delivery_id);
      await handle.result();
      const shown = await handle.describe();
      expect(shown.type).to.equal('deliverWebhook');
      expect(shownBy(shown, 'DeliveryStatus')).to.equal('delivered');
      expect(shownBy(shown, 'WebhookHost')).to.equal(new URL(receiver.url).host);
    });

    it('answers 409 while the delivery is pending, and makes nothing', async () => {
      answer = refuse;
      const { delivery_id, session_id } = await deliver();
      const { problem } = await send(service.api, redeliver, { token, params: { id: delivery_id } });
      expect(problem).to.include({ status: 409, code: 'conflict' });
      expect(await DeliveryModel.query().where({ session_id }).resultSize()).to.equal(1);
    });

    it('stops with the reason when there is nowhere to send it any more', async () => {
      const original = await deliver();
      await AssistantModel.query().patch({ webhook_url: null }).where({ id: original.assistant_id });
      const { body } = await send(service.api, redeliver, { token, params: { id: original.delivery_id } });
      expect(await ended(body.delivery_id)).to.include({ status: 'stopped', stop_reason: 'webhook_url_removed' });
    });
  });

  describe('POST /v1/deliveries/{id}/retry-now', () => {
    it('makes the next attempt at once, in the workflow that delivers it', async () => {
      answer = refuse;
      const { delivery_id, session_id, workflow_id } = await deliver();
      expect(workflow_id).to.equal(session_id);
      answer = (response) => response.end();
      const { status } = await send(service.api, retryDeliveryNow, { token, params: { id: delivery_id } });
      expect(status).to.equal(202);
      const delivery = await ended(delivery_id);
      expect(delivery.status).to.equal('delivered');
      expect(delivery.attempts.map(({ attempt, status_code }) => [attempt, status_code])).to.deep.equal([
        [1, 503],
        [2, 200],
      ]);
    });

    it('skips one wait only, however often it is asked for', async () => {
      answer = refuse;
      const { delivery_id } = await deliver();
      await Promise.all(
        [1, 2, 3].map(() => send(service.api, retryDeliveryNow, { token, params: { id: delivery_id } })),
      );
      const twice = await eventually(
        () => read(delivery_id),
        ({ attempts }) => attempts[1]?.outcome != null,
      );
      expect(twice.attempts).to.have.length(2);
      const { started_at = '', duration_ms = 0 } = twice.attempts[1] ?? {};
      const wait = Date.parse(twice.next_attempt_at ?? '') - Date.parse(started_at) - (duration_ms ?? 0);
      expect(wait).to.be.within(115_000, 125_000);
    });

    it('goes on with the attempts on record when the workflow was lost', async () => {
      const session = await createSession(await newAssistant());
      const [row] = await DeliveryModel.createOwn([
        { ...(await fieldsOf(session.id)), event: 'session.completed', payload: '{}' },
      ]);
      const id = row?.id ?? '';
      await DeliveryAttemptModel.open({ delivery_id: id, attempt: 1, url: receiver.url, request_headers: {} });
      await DeliveryAttemptModel.close(id, 1, { failure: 'timeout', next_attempt_at: new Date() });
      await send(service.api, retryDeliveryNow, { token, params: { id } });
      expect((await ended(id)).attempts.map(({ outcome }) => outcome)).to.deep.equal(['failed', 'succeeded']);
      expect(receiver.requests[0]?.headers['x-webhook-attempt']).to.equal('2');
    });

    const fieldsOf = async (session_id: string) => {
      const session = await createSession(await newAssistant());
      return { user_id, session_id, assistant_id: session.assistant_id };
    };

    it('answers 409 for a delivery that is not waiting: ended, or at its attempt', async () => {
      const { delivery_id } = await deliver();
      const late = await send(service.api, retryDeliveryNow, { token, params: { id: delivery_id } });
      expect(late.problem).to.include({ code: 'conflict' });
      const { id } = await createDelivery(await createSession(await newAssistant()));
      const early = await send(service.api, retryDeliveryNow, { token, params: { id } });
      expect(early.problem).to.include({ code: 'conflict' });
      await DeliveryAttemptModel.open({ delivery_id: id, attempt: 1, url: receiver.url, request_headers: {} });
      const during = await send(service.api, retryDeliveryNow, { token, params: { id } });
      expect(during.problem).to.include({ code: 'conflict' });
    });
  });

  describe('POST /v1/deliveries/{id}/stop', () => {
    it('gives a waiting delivery up, and ends the workflow', async () => {
      answer = refuse;
      const { delivery_id, session_id } = await deliver();
      const { status, body } = await send(service.api, stopDelivery, { token, params: { id: delivery_id } });
      expect(status).to.equal(200);
      expect(body).to.include({ status: 'stopped', stop_reason: 'requested', next_attempt_at: null });
      expect(body.ended_at).to.be.a('string');
      const { temporal } = await testTemporal();
      const handle = temporal.client.workflow.getHandle(session_id ?? '');
      await handle.result();
      expect(shownBy(await handle.describe(), 'DeliveryStatus')).to.equal('stopped');
      expect(receiver.requests).to.have.length(1);
    });

    it('answers 409 for a delivery that has ended, and changes nothing', async () => {
      const { delivery_id } = await deliver();
      const { problem } = await send(service.api, stopDelivery, { token, params: { id: delivery_id } });
      expect(problem).to.include({ status: 409, code: 'conflict' });
      expect(await read(delivery_id)).to.include({ status: 'delivered', stop_reason: null });
    });

    it('lets the attempt that is under way end, and believes the receiver that took it', async () => {
      for (const [status_code, expected] of [
        [500, { status: 'stopped', stop_reason: 'requested' }],
        [200, { status: 'delivered', stop_reason: null }],
      ] as const) {
        const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
        answer = (response) => void held.then(() => response.writeHead(status_code).end());
        const assistant = await newAssistant();
        const { body } = await send(service.api, testWebhook, { token, params: { id: assistant.id } });
        const seen = receiver.requests.length;
        await eventually(
          () => receiver.requests.length,
          (count) =>
            count > 0 && count >= seen && receiver.requests.at(-1)?.headers['x-webhook-delivery'] === body.delivery_id,
        );
        await send(service.api, stopDelivery, { token, params: { id: body.delivery_id } });
        letGo();
        const { attempts, ...delivery } = await eventually(
          () => read(body.delivery_id),
          (row) => row.attempts[0]?.outcome != null,
        );
        expect(delivery).to.include(expected);
        expect(attempts.map((attempt) => attempt.status_code)).to.deep.equal([status_code]);
        const { temporal } = await testTemporal();
        await temporal.client.workflow.getHandle(body.delivery_id).result();
      }
    });
  });

  describe('POST /v1/assistants/{id}/webhook/test', () => {
    it('posts webhook.test, signed and with the fields of the real event', async () => {
      const assistant = await newAssistant();
      const { status, headers, body } = await send(service.api, testWebhook, { token, params: { id: assistant.id } });
      expect(status).to.equal(201);
      expect(headers.get('location')).to.equal(`/api/v1/deliveries/${body.delivery_id}`);
      expect(body).to.include({ event: 'webhook.test', session_id: null, assistant_id: assistant.id });
      expect(await ended(body.delivery_id)).to.include({ status: 'delivered' });
      const [request] = receiver.requests as [Receiver['requests'][0]];
      expect(request.headers).to.include({ 'x-webhook-event': 'webhook.test', authorization: `Bearer ${SECRET}` });
      const sent = new Webhook(SECRET, { format: 'raw' }).verify(
        request.body.toString(),
        request.headers as Record<string, string>,
      );
      expect(TestWebhookPayloadSchema.parse(sent).assistant_id).to.equal(assistant.id);
    });

    it('answers 422 when the assistant has no webhook_url', async () => {
      const { id } = await createAssistant(user_id);
      const { problem } = await send(service.api, testWebhook, { token, params: { id } });
      expect(problem.errors).to.deep.equal([{ path: 'webhook_url', message: 'the assistant has none' }]);
    });
  });

  describe('GET /v1/deliveries', () => {
    const list = async (query: Record<string, string | number> = {}) =>
      (await send(service.api, listDeliveries, { token, query })).body;
    const idsOf = async (query: Record<string, string | number>) =>
      (await list(query)).data.map(({ delivery_id }) => delivery_id);

    it('finds by status, assistant, session and time, the user’s own alone', async () => {
      const sessions = [await createSession(await newAssistant()), await createSession(await newAssistant())] as const;
      const [old, stopped, other] = [
        await createDelivery(sessions[0]),
        await createDelivery(sessions[0]),
        await createDelivery(sessions[1]),
      ];
      const stranger = await createUser();
      await createDelivery(await createSession(await createAssistant(stranger.user.id)));
      await old.$query().patch({ created_at: new Date('2026-01-01T00:00:00Z') });
      await DeliveryModel.patchPending(stopped.id, { status: 'stopped', next_attempt_at: null });
      expect(await idsOf({})).to.deep.equal([other.id, stopped.id, old.id]);
      expect(await idsOf({ status: 'stopped' })).to.deep.equal([stopped.id]);
      expect(await idsOf({ assistant_id: sessions[1].assistant_id })).to.deep.equal([other.id]);
      expect(await idsOf({ session_id: sessions[0].id })).to.deep.equal([stopped.id, old.id]);
      expect(await idsOf({ created_before: '2026-01-01T02:00:00.001+02:00' })).to.deep.equal([old.id]);
      expect(await idsOf({ created_after: '2026-01-01T00:00:00Z', status: 'pending' })).to.deep.equal([
        other.id,
        old.id,
      ]);
      expect(await idsOf({ created_after: '2026-01-01T00:00:00.001Z', session_id: sessions[0].id })).to.deep.equal([
        stopped.id,
      ]);
    });

    it('counts the attempts, and pages', async () => {
      const session = await createSession(await newAssistant());
      const ids = [(await createDelivery(session)).id, (await createDelivery(session)).id].reverse();
      for (const attempt of [1, 2]) {
        await DeliveryAttemptModel.open({ delivery_id: ids[0]!, attempt, url: receiver.url, request_headers: {} });
      }
      const first = await list({ limit: 1 });
      await createDelivery(session);
      const second = await list({ limit: 1, cursor: first.next_cursor ?? '' });
      const shown = [...first.data, ...second.data].map(({ delivery_id, attempt_count }) => [
        delivery_id,
        attempt_count,
      ]);
      expect(shown).to.deep.equal([
        [ids[0], 2],
        [ids[1], 0],
      ]);
      expect(second.next_cursor).to.equal(null);
    });

    it('answers 422 for times and statuses that are none', async () => {
      for (const query of [
        { created_after: 'yesterday' },
        { created_before: '2026-13-01T00:00:00Z' },
        { status: 'x' },
      ]) {
        const { problem } = await send(service.api, listDeliveries, { token, query });
        expect(problem.errors?.map(({ path }) => path)).to.deep.equal(Object.keys(query));
      }
    });
  });
});
