import { expect } from 'chai';
import {
  createAssistant as createAssistantEndpoint,
  duplicateAssistant,
  getAssistant,
  updateAssistant,
} from '../../contract/assistants.ts';
import { FailedWebhookPayloadSchema } from '../../contract/deliveries.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { testTemporal } from '../support/temporal.ts';
import { useSharedService } from '../support/shared-service.ts';

const SETTINGS = { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.' };
const REFUSED = '[vendor status=400]';

describe('The events of an assistant', () => {
  const service = useSharedService();
  let receiver: Receiver;
  let token: string;
  beforeEach(async () => {
    receiver = await startReceiver();
    ({ token } = await createUser());
  });
  afterEach(() => receiver.stop());

  const create = (fields: object) =>
    send(service.api, createAssistantEndpoint, {
      token,
      body: { ...SETTINGS, webhook_url: receiver.url, ...fields },
    });

  /** Gives the session once its workflow has ended. */
  async function submit(assistant_id: string, text: string): Promise<SessionModel> {
    const { body } = await send(service.api, submitTextRequest, {
      token,
      headers: { Prefer: 'respond-async' },
      body: { assistant_id, conversation: [{ role: 'client', text }] },
    });
    const { temporal } = await testTemporal();
    await temporal.client.workflow
      .getHandle(body.session_id)
      .result()
      .catch(() => undefined);
    return SessionModel.query().findById(body.session_id).throwIfNotFound();
  }

  it('§6 is session.completed alone unless it asks for more: a failure posts nothing', async () => {
    const { body } = await create({});
    expect(body.webhook_events).to.deep.equal(['session.completed']);
    const session = await submit(body.id, REFUSED);
    expect(session.status).to.equal('failed');
    expect(await DeliveryModel.query().where({ session_id: session.id })).to.deep.equal([]);
  });

  it('tell of a failure with the fields of a result, and why there is none', async () => {
    const { body } = await create({ webhook_events: ['session.completed', 'session.failed'] });
    const session = await submit(body.id, REFUSED);
    await eventually(
      () => receiver.requests.length,
      (count) => count === 1,
    );
    const [request] = receiver.requests as [Receiver['requests'][0]];
    expect(request.headers).to.include({ 'x-webhook-event': 'session.failed' });
    const payload = FailedWebhookPayloadSchema.parse(JSON.parse(request.body.toString()));
    expect(payload).to.deep.include({ session_id: session.id, error: session.error, summary_text: null });
    expect(payload.error).to.include({ code: 'bad_input', stage: 'analysis', provider: 'openai' });
  });

  it('leave out a result that it did not ask for', async () => {
    const { body } = await create({ webhook_events: ['session.failed'] });
    const session = await submit(body.id, 'Hello.');
    expect(session.status).to.equal('completed');
    expect(await DeliveryModel.query().where({ session_id: session.id })).to.deep.equal([]);
  });

  it('can be changed, are copied, and take their default again with null', async () => {
    const webhook_events = ['session.failed'];
    const { body } = await create({ webhook_events: ['session.completed', 'session.failed'] });
    const params = { id: body.id };
    const changed = await send(service.api, updateAssistant, { token, params, body: { webhook_events } });
    expect(changed.body.webhook_events).to.deep.equal(webhook_events);
    const copy = await send(service.api, duplicateAssistant, { token, params });
    expect(copy.body.webhook_events).to.deep.equal(webhook_events);
    await send(service.api, updateAssistant, { token, params, body: { name: 'Other' } });
    const read = await send(service.api, getAssistant, { token, params });
    expect(read.body.webhook_events).to.deep.equal(webhook_events);
    const cleared = await send(service.api, updateAssistant, { token, params, body: { webhook_events: null } });
    expect(cleared.body.webhook_events).to.deep.equal(['session.completed']);
  });

  it('are those that exist, each once, and not none', async () => {
    for (const webhook_events of [
      [],
      ['session.completed', 'session.completed'],
      ['webhook.test'],
      ['session.started'],
      'session.failed',
    ]) {
      const { problem } = await create({ webhook_events });
      const fields = problem.errors?.map(({ path }) => path.split('.')[0]);
      expect(new Set(fields)).to.deep.equal(new Set(['webhook_events']));
    }
  });
});
