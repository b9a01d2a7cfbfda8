import { Webhook } from 'standardwebhooks';
import { retryDeliveryNow, stopDelivery, TestWebhookPayloadSchema } from '../../../contract/sessions/deliveries.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { errorAt } from '../../../contract/errors/field-errors.ts';
import { send } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createDelivery, createSession, openAttempt } from '../../support/factories.ts';
import type { Answering, Receiver } from '../../support/receiver.ts';
import { shownBy } from '../../support/search-attributes.ts';
import { untilWorkflowEnds, workflowOf } from '../../support/temporal.ts';
import { SECRET, useDeliveries } from './use-deliveries.ts';

describe('Delivery commands', () => {
  const own = useDeliveries();
  const { service, read, newAssistant, deliver } = own;
  const refuse: Answering = (response) => response.writeHead(503).end();

  const onDelivery = (id: string) => ({ token: own.token, params: { id } });
  const ended = (id: string) =>
    eventually(
      () => read(id),
      ({ status }) => status !== 'pending',
    );

  it('POST /v1/deliveries/{id}/redeliver sends the same bytes as a new delivery in its own workflow, with a reference to the old delivery', async () => {
    const original = await deliver();
    const { status, headers, body } = await send(service.api, 'redeliver', onDelivery(original.delivery_id));
    expect(status).to.equal(201);
    expect(headers.get('location')).to.equal(`/api/v1/deliveries/${body.delivery_id}`);
    expect(body.delivery_id).not.to.equal(original.delivery_id);
    expect(body).to.include({ replayed_from: original.delivery_id, workflow_id: body.delivery_id });
    expect(body).to.include({ session_id: original.session_id, event: original.event });
    expect(await ended(body.delivery_id)).to.include({ status: 'delivered' });
    const [first, second] = own.receiver.requests as [Receiver['requests'][0], Receiver['requests'][0]];
    expect(second.body.equals(first.body)).to.equal(true);
    expect(second.headers).to.include({
      'x-webhook-delivery': body.delivery_id,
      'x-webhook-replayed-from': original.delivery_id,
      'x-webhook-event': 'session.completed',
      'x-webhook-attempt': '1',
    });
    expect(first.headers).not.to.have.property('x-webhook-replayed-from');
    const handle = await workflowOf(body.delivery_id);
    await handle.result();
    const shown = await handle.describe();
    expect(shown.type).to.equal('deliverWebhook');
    expect(shownBy(shown, 'DeliveryStatus')).to.equal('delivered');
    expect(shownBy(shown, 'WebhookHost')).to.equal(new URL(own.receiver.url).host);
  });

  describe('POST /v1/deliveries/{id}/retry-now', () => {
    it('makes one attempt immediately in the same workflow, even if it is called several times', async () => {
      const { delivery_id, session_id, workflow_id } = await deliver(refuse);
      expect(workflow_id).to.equal(session_id);
      const pending = await send(service.api, 'redeliver', onDelivery(delivery_id));
      expect(pending.problem, 'no redelivery of a pending one').to.include({ status: 409, code: 'conflict' });
      expect(await DeliveryModel.query().where({ session_id }).resultSize()).to.equal(1);
      const retryNow = () => send(service.api, 'retryDeliveryNow', onDelivery(delivery_id));
      const answers = await Promise.all([retryNow(), retryNow(), retryNow()]);
      expect(answers.map(({ status }) => status)).to.include(202);
      const twice = await eventually(
        () => read(delivery_id),
        ({ attempts }) => attempts[1]?.outcome != null,
      );
      expect(twice.attempts).to.have.length(2);
      const { started_at = '', duration_ms = 0 } = twice.attempts[1] ?? {};
      const wait = Date.parse(twice.next_attempt_at ?? '') - Date.parse(started_at) - (duration_ms ?? 0);
      expect(wait).to.be.within(115_000, 125_000);
      own.answer = (response) => response.end();
      await retryNow();
      const delivery = await ended(delivery_id);
      expect(delivery.status).to.equal('delivered');
      expect(delivery.attempts.map(({ status_code }) => status_code)).to.deep.equal([503, 503, 200]);
    });

    it('continues with the stored attempts if the workflow was lost', async () => {
      const { id: session_id, assistant_id } = await createSession(await newAssistant());
      const fields = {
        workspace_id: own.workspace_id,
        session_id,
        assistant_id,
        event: 'session.completed',
        payload: '{}',
      } as const;
      const [row] = await DeliveryModel.createOwn([fields]);
      const id = row?.id ?? '';
      await openAttempt(id);
      await DeliveryAttemptModel.close(id, 1, { failure: 'timeout', next_attempt_at: new Date() });
      await send(service.api, 'retryDeliveryNow', { token: own.token, params: { id } });
      expect((await ended(id)).attempts.map(({ outcome }) => outcome)).to.deep.equal(['failed', 'succeeded']);
      expect(own.receiver.requests[0]?.headers['x-webhook-attempt']).to.equal('2');
    });

    it('and stop answer 409 for a delivery that has ended; retry-now also before and during an attempt', async () => {
      const { delivery_id } = await deliver();
      for (const endpoint of [retryDeliveryNow, stopDelivery]) {
        const late = await send(service.api, endpoint, onDelivery(delivery_id));
        expect(late.problem).to.include({ status: 409, code: 'conflict' });
      }
      expect(await read(delivery_id)).to.include({ status: 'delivered', stop_reason: null });
      const { id } = await createDelivery(await createSession(await newAssistant()));
      const early = await send(service.api, 'retryDeliveryNow', { token: own.token, params: { id } });
      expect(early.problem).to.include({ code: 'conflict' });
      await openAttempt(id);
      const during = await send(service.api, 'retryDeliveryNow', { token: own.token, params: { id } });
      expect(during.problem).to.include({ code: 'conflict' });
    });
  });

  describe('POST /v1/deliveries/{id}/stop', () => {
    it('stops a waiting delivery and ends its workflow', async () => {
      const { delivery_id, session_id } = await deliver(refuse);
      const { status, body } = await send(service.api, 'stopDelivery', onDelivery(delivery_id));
      expect(status).to.equal(200);
      expect(body).to.include({ status: 'stopped', stop_reason: 'requested', next_attempt_at: null });
      expect(body.ended_at).to.be.a('string');
      const handle = await workflowOf(session_id ?? '');
      await handle.result();
      expect(shownBy(await handle.describe(), 'DeliveryStatus')).to.equal('stopped');
      expect(own.receiver.requests).to.have.length(1);
    });

    it('lets a running attempt end: a success counts as delivered', async () => {
      for (const [status_code, expected] of [
        [500, { status: 'stopped', stop_reason: 'requested' }],
        [200, { status: 'delivered', stop_reason: null }],
      ] as const) {
        const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
        own.answer = (response) => void held.then(() => response.writeHead(status_code).end());
        const assistant = await newAssistant();
        const { body } = await send(service.api, 'testWebhook', { token: own.token, params: { id: assistant.id } });
        const isTried = () => own.receiver.requests.at(-1)?.headers['x-webhook-delivery'] === body.delivery_id;
        await eventually(isTried, true);
        await send(service.api, 'stopDelivery', onDelivery(body.delivery_id));
        letGo();
        const { attempts, ...delivery } = await eventually(
          () => read(body.delivery_id),
          (row) => row.attempts[0]?.outcome != null,
        );
        expect(delivery).to.include(expected);
        expect(attempts.map((attempt) => attempt.status_code)).to.deep.equal([status_code]);
        await untilWorkflowEnds(body.delivery_id);
      }
    });
  });

  describe('POST /v1/assistants/{id}/webhook/test', () => {
    it('posts webhook.test, signed and with the fields of the real event', async () => {
      const assistant = await newAssistant();
      const { status, headers, body } = await send(service.api, 'testWebhook', {
        token: own.token,
        params: { id: assistant.id },
      });
      expect(status).to.equal(201);
      expect(headers.get('location')).to.equal(`/api/v1/deliveries/${body.delivery_id}`);
      expect(body).to.include({ event: 'webhook.test', session_id: null, assistant_id: assistant.id });
      expect(await ended(body.delivery_id)).to.include({ status: 'delivered' });
      const [request] = own.receiver.requests as [Receiver['requests'][0]];
      expect(request.headers).to.include({ 'x-webhook-event': 'webhook.test', authorization: `Bearer ${SECRET}` });
      const sent = new Webhook(SECRET, { format: 'raw' }).verify(
        request.body.toString(),
        request.headers as Record<string, string>,
      );
      expect(TestWebhookPayloadSchema.parse(sent).assistant_id).to.equal(assistant.id);
    });

    it('answers 422 if the assistant has no webhook_url', async () => {
      const { id } = await createAssistant(own.workspace_id);
      const { problem } = await send(service.api, 'testWebhook', { token: own.token, params: { id } });
      expect(problem.errors).to.deep.equal([errorAt('webhook_url', 'not_set')]);
    });
  });
});
