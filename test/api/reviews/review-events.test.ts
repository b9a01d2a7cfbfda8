import { ReviewedWebhookPayloadSchema, type ReviewedWebhookPayload } from '../../../contract/sessions/deliveries.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { send } from '../../support/api.ts';
import { countLockWaits } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createAnswered, createCall, createUser, TEXT_SETTINGS } from '../../support/factories.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Solved?' },
  { name: 'score', type: 'integer', description: 'How many?', minimum: 0, maximum: 100 },
];

describe('session.reviewed', () => {
  const service = useSharedService();
  let receiver: Receiver;
  let token: string;
  beforeEach(async () => {
    receiver = await stopAfterTest(startReceiver());
    ({ token } = await createUser());
  });

  async function createWith(webhook_events: string[]): Promise<AssistantModel> {
    const alerts = [{ name: 'Unresolved', when: ['resolved:eq:false'], url: receiver.url }];
    const body = { ...TEXT_SETTINGS, fields: FIELDS, webhook_url: receiver.url, webhook_events, alerts };
    const created = await send(service.api, 'createAssistant', { token, body: body });
    return AssistantModel.query().findById(created.body.id).throwIfNotFound();
  }
  const answer = (assistant: AssistantModel) => createAnswered(assistant, { resolved: true, score: 7 });
  const put = (id: string, body: object) => send(service.api, 'putSessionReview', { token, params: { id }, body });
  const remove = (id: string) => send(service.api, 'deleteSessionReview', { token, params: { id } });
  const read = async (id: string) => (await send(service.api, 'getSessionReview', { token, params: { id } })).body;
  const countPending = () => DeliveryModel.query().where({ status: 'pending' }).resultSize();
  const received = () =>
    receiver.requests.map(({ body }) => JSON.parse(body.toString()) as unknown as ReviewedWebhookPayload);

  it('is posted once for each burst of 500 corrections, with the last review, and the result as the model gave it', async () => {
    const assistant = await createWith(['session.reviewed']);
    const sessions = await Promise.all(Array.from({ length: 25 }, () => answer(assistant)));
    for (const session of sessions) await createCall(session, { cost_usd: 0.25 });
    for (let burst = 0; burst < 2; burst++) {
      // A few at a time, so that a burst takes less than 5 seconds.
      for (let first = 0; first < sessions.length; first += 5) {
        for (let save = 0; save < 10; save++) {
          const body = { answers: { resolved: save % 2 === 0, score: 10 * burst + save }, note: `Save ${save}` };
          await Promise.all(sessions.slice(first, first + 5).map(({ id }) => put(id, body)));
        }
      }
      await eventually(countPending, 0, 120_000);
    }
    const events = received();
    for (const { id } of sessions) {
      const own = events.filter(({ session_id }) => session_id === id);
      const deliveries = await DeliveryModel.query().where({ session_id: id }).orderBy('id');
      expect(own.map((event) => JSON.stringify(event))).to.deep.equal(deliveries.map(({ payload }) => payload));
      const times = deliveries.map(({ created_at }) => Number(created_at));
      // Two, unless the machine was too busy for a burst: then another one began after 5 seconds.
      expect(times.length).to.be.at.least(2);
      for (const [index, time] of times.slice(1).entries()) expect(time - times[index]!).to.be.at.least(5_000);
      const event = ReviewedWebhookPayloadSchema.parse(own.at(-1));
      expect(event.review).to.deep.equal(await read(id));
      const session = (await send(service.api, 'getSession', { token, params: { id } })).body;
      const { summary_text, raw_response, total_cost, created_at } = session;
      expect(event).to.deep.include({ status: 'completed', summary_text, raw_response, total_cost, created_at });
      expect(event.raw_response['fields']).to.deep.equal({ resolved: true, score: 7 });
    }
  });

  it('has null if the review was deleted, and is not sent without a review, or if the assistant does not ask for it', async () => {
    const other = await answer(await createWith(['session.completed', 'session.failed']));
    expect((await put(other.id, { answers: { resolved: false } })).status).to.equal(200);
    const { id } = await answer(await createWith(['session.completed', 'session.reviewed']));
    await remove(id);
    expect(await DeliveryModel.query().whereIn('session_id', [id, other.id])).to.deep.equal([]);
    await put(id, { answers: { resolved: false } });
    await remove(id);
    await receiver.until(1);
    await eventually(countPending, 0);
    expect(received().map(({ event, review }) => [event, review])).to.deep.equal([['session.reviewed', null]]);
  });

  it('has the last review also if a save commits after its first attempt has begun', async () => {
    const { id } = await answer(await createWith(['session.reviewed']));
    await put(id, { note: 'First' });
    const { id: deliveryId } = await DeliveryModel.query().findOne({ session_id: id }).throwIfNotFound();
    const open = await DeliveryModel.startTransaction();
    const replaced = { session_id: id, event: 'session.reviewed', payload: '{"last":true}' } as const;
    expect(await DeliveryModel.replacePayload(replaced as never, 5_000, open)).to.equal(true);
    // The attempt waits for this transaction.
    await eventually(countLockWaits, (waiting) => waiting > 0);
    await open.commit();
    await receiver.until(1);
    expect(received()).to.deep.equal([{ last: true }]);
    await eventually(async () => (await DeliveryModel.query().findById(deliveryId))?.status, 'delivered');
    // A later save is another event.
    await put(id, { note: 'Second' });
    expect(await DeliveryModel.query().where({ session_id: id }).resultSize()).to.equal(2);
  });
});
