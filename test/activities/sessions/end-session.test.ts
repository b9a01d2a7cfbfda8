import { createEndSession, type EndSessionInput } from '../../../activities/sessions/end-session.ts';
import { FailedWebhookPayloadSchema } from '../../../contract/sessions/deliveries.ts';
import type { SessionError } from '../../../contract/errors/session-error.ts';
import type { AssistantColumns } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { sessionEnded } from '../../../runtime/telemetry/events.ts';
import { errorOf } from '../../support/error-of.ts';
import { createOwner, createSession } from '../../support/factories.ts';
import { testTemporal } from '../../support/temporal.ts';
import { insertCall, refuseDelivery } from './analysis.ts';
import { toldDuring } from '../../support/told.ts';

const ERROR: SessionError = {
  code: 'unavailable',
  stage: 'analysis',
  provider: 'openai',
  message: 'openai answered with HTTP 503',
  retryable: true,
};

const BOTH: Partial<AssistantColumns> = {
  webhook_url: 'https://example.com/hook',
  webhook_events: ['session.completed', 'session.failed'],
};

describe('The end of a session without a result', () => {
  let end: (input: EndSessionInput) => Promise<void>;
  before(async function () {
    this.timeout(0);
    const { temporal } = await testTemporal();
    end = createEndSession({ client: temporal.client });
  });

  async function newSession(fields: Partial<AssistantColumns> = BOTH): Promise<SessionModel> {
    return createSession((await createOwner(fields)).assistant, { status: 'analyzing' });
  }

  const fail = (session: SessionModel) => end({ session_id: session.id, end: { status: 'failed', error: ERROR } });
  const deliveriesOf = (session: SessionModel) => DeliveryModel.query().where({ session_id: session.id });

  async function stateOf(id: string): Promise<string> {
    const { temporal } = await testTemporal();
    return (await temporal.client.workflow.getHandle(id).describe()).status.name;
  }

  it('creates a delivery of session.failed with the fields of the specification, the error and the metadata if there is any, in its own workflow', async () => {
    const session = await newSession();
    await insertCall(session, { status: 'failed', cost_usd: 0.25 });
    await fail(session);
    const [delivery] = await deliveriesOf(session);
    expect(delivery).to.include({ event: 'session.failed', status: 'pending', workflow_id: delivery?.id });
    const payload = JSON.parse(delivery?.payload ?? '') as unknown;
    expect(FailedWebhookPayloadSchema.parse(payload)).to.deep.equal({
      event: 'session.failed',
      session_id: session.id,
      assistant_id: session.assistant_id,
      status: 'failed',
      summary_text: null,
      raw_response: null,
      total_cost: 0.25,
      created_at: session.created_at.toISOString(),
      error: ERROR,
    });
    const metadata = { call_id: 'c-1042' };
    const labeled = await createSession((await createOwner(BOTH)).assistant, { status: 'analyzing', metadata });
    await fail(labeled);
    const [other] = await deliveriesOf(labeled);
    expect(JSON.parse(other?.payload ?? '')).to.deep.include({ session_id: labeled.id, metadata, error: ERROR });
    expect(await stateOf(delivery?.id ?? '')).to.equal('RUNNING');
  });

  it('is announced and counted once, also if the step is repeated', async () => {
    const session = await newSession();
    const told = await toldDuring(sessionEnded, async () => {
      await fail(session);
      await fail(session);
      await end({ session_id: session.id, end: { status: 'canceled' } });
    });
    expect(told).to.deep.equal([{ status: 'failed' }]);
    expect(await deliveriesOf(session)).to.have.length(1);
  });

  it('starts a delivery that an earlier run stored and did not start', async () => {
    const session = await newSession();
    const away = { workflow: { start: () => Promise.reject(new Error('Temporal is away')) } };
    const { temporal } = await testTemporal();
    const crashing = createEndSession({
      client: Object.assign(Object.create(temporal.client) as typeof temporal.client, away),
    });
    const input = { session_id: session.id, end: { status: 'failed', error: ERROR } } as const;
    expect(await errorOf(crashing(input))).to.be.instanceOf(Error);
    await fail(session);
    const rows = await deliveriesOf(session);
    expect(rows).to.have.length(1);
    expect(await stateOf(rows[0]?.id ?? '')).to.equal('RUNNING');
  });

  it('is stored with its delivery in one transaction', async () => {
    const session = await newSession();
    const failure = await refuseDelivery(session, () => errorOf(fail(session)));
    expect(failure).to.be.instanceOf(Error);
    expect(await SessionModel.query().findById(session.id)).to.include({ status: 'analyzing' });
  });

  it('§6 creates no delivery without the event, without a webhook, or for a canceled session', async () => {
    for (const fields of [{ webhook_url: 'https://example.com/' }, { ...BOTH, webhook_url: null }]) {
      const session = await newSession(fields);
      await fail(session);
      expect(await SessionModel.query().findById(session.id)).to.include({ status: 'failed' });
      expect(await deliveriesOf(session)).to.deep.equal([]);
    }
    const session = await newSession();
    await end({ session_id: session.id, end: { status: 'canceled' } });
    expect(await deliveriesOf(session)).to.deep.equal([]);
  });
});
