import { FailedWebhookPayloadSchema } from '../../../contract/sessions/deliveries.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { createUser, says, TEXT_SETTINGS } from '../../support/factories.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { untilWorkflowEnds } from '../../support/temporal.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const REFUSED = '[provider status=400]';

describe('webhook_events', () => {
  const service = useSharedService();
  let receiver: Receiver;
  let token: string;
  beforeEach(async () => {
    receiver = await stopAfterTest(startReceiver());
    ({ token } = await createUser());
  });

  const create = (fields: object) =>
    send(service.api, 'createAssistant', {
      token,
      body: { ...TEXT_SETTINGS, webhook_url: receiver.url, ...fields },
    });

  /** Waits until the session's workflow has ended. Returns the session. */
  async function submit(assistant_id: string, text: string): Promise<SessionModel> {
    const { body } = await send(service.api, 'submitTextRequest', {
      token,
      headers: { Prefer: 'respond-async' },
      body: { assistant_id, conversation: says(text) },
    });
    await untilWorkflowEnds(body.session_id);
    return SessionModel.query().findById(body.session_id).throwIfNotFound();
  }

  it('§6 are session.completed by default; other events are not posted', async () => {
    const { body } = await create({});
    expect(body.webhook_events).to.deep.equal(['session.completed']);
    const failed = await submit(body.id, REFUSED);
    const completed = await submit((await create({ webhook_events: ['session.failed'] })).body.id, 'Hello.');
    expect([failed.status, completed.status]).to.deep.equal(['failed', 'completed']);
    expect(await DeliveryModel.query().whereIn('session_id', [failed.id, completed.id])).to.deep.equal([]);
  });

  it('session.failed has the fields of a result, and the error', async () => {
    const { body } = await create({ webhook_events: ['session.completed', 'session.failed'] });
    const session = await submit(body.id, REFUSED);
    await receiver.until(1);
    const [request] = receiver.requests as [Receiver['requests'][0]];
    expect(request.headers).to.include({ 'x-webhook-event': 'session.failed' });
    const payload = FailedWebhookPayloadSchema.parse(JSON.parse(request.body.toString()));
    expect(payload).to.deep.include({ session_id: session.id, error: session.error, summary_text: null });
    expect(payload.error).to.include({ code: 'bad_input', stage: 'analysis', provider: 'openai' });
  });

  it('must be known, unique, and at least one', async () => {
    const unknown = [['webhook.test'], ['session.started'], 'session.failed'];
    for (const webhook_events of [[], ['session.completed', 'session.completed'], ...unknown]) {
      const { problem } = await create({ webhook_events });
      const fields = problem.errors?.map(({ path }) => path.split('.')[0]);
      expect(new Set(fields)).to.deep.equal(new Set(['webhook_events']));
    }
  });
});
