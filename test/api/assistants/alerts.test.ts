import { Webhook } from 'standardwebhooks';
import type { Alert } from '../../../contract/assistants/alerts.ts';
import { alertOwner, AssistantModel } from '../../../db/models/assistant.ts';
import { createSecretBox } from '../../../runtime/secrets/secrets.ts';
import { send, testConfig } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createUser, says, TEXT_SETTINGS } from '../../support/factories.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const SECRET = 'a-secret-of-the-alert';
const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'score', type: 'integer', description: 'How good was the call?' },
  { name: 'city', type: 'string', description: 'Where does the client live?' },
];

describe('Alerts', () => {
  const service = useSharedService();
  let receiver: Receiver;
  let token: string;
  beforeEach(async () => {
    receiver = await stopAfterTest(startReceiver());
    ({ token } = await createUser());
  });

  const alert = (fields: object = {}) => ({
    name: 'Unresolved',
    when: ['resolved:eq:false'],
    url: `${receiver.url}/alerts`,
    ...fields,
  });
  const create = (alerts: unknown) =>
    send(service.api, 'createAssistant', { token, body: { ...TEXT_SETTINGS, fields: FIELDS, alerts } });
  const created = async (alerts: unknown) => (await create(alerts)).body;
  const patch = (id: string, body: object) => send(service.api, 'updateAssistant', { token, params: { id }, body });
  const alertsAfter = async (id: string, body: object): Promise<Alert[]> => (await patch(id, body)).body.alerts;

  it('are delivered like webhooks, and redelivered until they are removed', async () => {
    const { id } = await created([alert({ secret: SECRET }), alert({ name: 'Good', when: ['score:gte:9'] })]);
    const { body: session } = await send(service.api, 'submitTextRequest', {
      token,
      body: { assistant_id: id, conversation: says('[value resolved=false] [value score=2] Nothing works.') },
    });
    expect(session).to.include({ status: 'completed', delivery: null });
    await receiver.until(1);
    const [request] = receiver.requests as [Receiver['requests'][0]];
    expect(request.path).to.equal('/alerts');
    const { headers } = request;
    expect(headers).to.include({ 'x-webhook-event': 'session.alert', authorization: `Bearer ${SECRET}` });
    const body = new Webhook(SECRET, { format: 'raw' }).verify(request.body, headers as Record<string, string>);
    expect(body).to.deep.include({
      event: 'session.alert',
      session_id: session.session_id,
      raw_response: session.raw_response,
      alert: { name: 'Unresolved', matched: { resolved: false } },
    });

    const query = { event: 'session.alert', assistant_id: id } as const;
    const listed = async () => (await send(service.api, 'listDeliveries', { token, query })).body.data;
    await eventually(async () => (await listed()).map(({ status }) => status), ['delivered']);
    const [delivery] = await listed();
    expect(delivery).to.include({ alert: 'Unresolved', session_id: session.session_id });
    expect(delivery?.last_attempt?.url).to.equal(`${receiver.url}/alerts`);
    expect(JSON.stringify(await read(delivery?.delivery_id))).not.to.contain(SECRET);

    await patch(id, { alerts: [] });
    const params = { id: delivery?.delivery_id ?? '' };
    const again = (await send(service.api, 'redeliver', { token, params })).body.delivery_id;
    const {
      status,
      stop_reason,
      alert: name,
    } = await eventually(
      () => read(again),
      ({ ended_at }) => ended_at !== null,
    );
    expect({ status, stop_reason, name }).to.deep.equal({
      status: 'stopped',
      stop_reason: 'alert_removed',
      name: 'Unresolved',
    });
    expect(receiver.requests).to.have.length(1);
  });

  const read = async (id = '') => (await send(service.api, 'getDelivery', { token, params: { id } })).body;

  it('show a secret as has_secret, keep it with its name and URL, and copy it', async () => {
    const answer = await create([alert({ secret: SECRET })]);
    const { id } = answer.body;
    const shown = { ...alert(), event: 'session.alert', auth: 'both', format: 'json', has_secret: true, broken: [] };
    expect(answer.body.alerts).to.deep.equal([shown]);
    const kept = await alertsAfter(id, { alerts: [alert({ name: 'Another' }), alert({ format: 'slack' })] });
    expect(kept.map(({ has_secret }) => has_secret)).to.deep.equal([false, true]);
    expect(await alertsAfter(id, { name: 'Other' })).to.deep.equal(kept);
    const copy = (await send(service.api, 'duplicateAssistant', { token, params: { id } })).body;
    expect(copy.alerts).to.deep.equal(kept);
    for (const owner of [id, copy.id]) expect(await secretOf(owner)).to.equal(SECRET);
    for (const change of [{ url: `${receiver.url}/moved` }, { secret: null }]) {
      await patch(id, { alerts: [alert({ secret: SECRET })] });
      expect((await alertsAfter(id, { alerts: [alert(change)] }))[0]).to.include({ has_secret: false });
      expect(await secretOf(id)).to.equal(null);
    }
  });

  async function secretOf(id: string): Promise<string | null | undefined> {
    const { alerts } = await AssistantModel.query().findById(id).throwIfNotFound();
    const sealed = alerts?.find(({ name }) => name === 'Unresolved')?.secret;
    return sealed && createSecretBox(testConfig().encryptionKeys).open(sealed, alertOwner(id, 'Unresolved'));
  }

  it('must have conditions that fit the fields, different names, and a webhook URL', async () => {
    const six = Array.from({ length: 6 }, (_, index) => alert({ name: String(index) }));
    for (const [alerts, path] of [
      [[alert({ when: ['resolved:eq:false', 'mood:eq:bad'] })], 'alerts.0.when.1'],
      [[alert(), alert({ name: 'Slow', when: ['resolved:gt:1'] })], 'alerts.1.when.0'],
      [[alert({ when: ['resolved'] })], 'alerts.0.when.0'],
      [[alert({ when: ['city:eq:\ud800'] })], 'alerts.0.when.0'],
      [[alert({ when: [] })], 'alerts.0.when'],
      [[alert({ event: 'delivery.failed' })], 'alerts.0.when'],
      [[alert({ url: 'https://ada@example.com/' })], 'alerts.0.url'],
      [[alert({ format: 'xml' })], 'alerts.0.format'],
      [[alert(), alert()], 'alerts'],
      [six, 'alerts'],
    ] as const) {
      expect((await create(alerts)).paths, path).to.deep.equal([path]);
    }
    const { problem } = await create([alert({ when: ['mood:eq:bad'] })]);
    expect(problem.errors?.[0]?.message).to.equal(
      'the assistant has no question mood; its questions: resolved, score, city',
    );
  });

  it('show the conditions that a change of the fields broke, which prevent no other change', async () => {
    const { id } = await created([alert(), alert({ name: 'Low', when: ['score:lt:3', 'resolved:not_null'] })]);
    const fields = [{ name: 'score', type: 'string', description: 'How good was the call?' }];
    const broken = async () => {
      const { body } = await send(service.api, 'getAssistant', { token, params: { id } });
      return body.alerts.map((each) => each.broken);
    };
    await patch(id, { fields });
    expect(await broken()).to.deep.equal([['resolved:eq:false'], ['score:lt:3', 'resolved:not_null']]);
    expect((await patch(id, { alerts: [alert({ format: 'slack' })] })).status).to.equal(200);
    expect((await patch(id, { alerts: [alert({ when: ['resolved:null'] })] })).paths).to.deep.equal([
      'alerts.0.when.0',
    ]);
    await patch(id, { fields: FIELDS });
    expect(await broken()).to.deep.equal([[]]);
  });
});
