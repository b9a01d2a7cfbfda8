import { ApplicationFailure } from '@temporalio/common';
import { Webhook } from 'standardwebhooks';
import { createOutboundSlots } from '../../../activities/outbound-slots.ts';
import { reportFailure } from '../../../activities/alerts/report-failure.ts';
import { createPostWebhook, type EndedAttempt } from '../../../activities/webhooks/post-webhook.ts';
import { WEBHOOK_DELAYS_MS } from '../../../contract/values/constants.ts';
import { AssistantModel, type StoredAlert } from '../../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { createAddressGuard } from '../../../runtime/outbound/address-guard.ts';
import { createSecretBox } from '../../../runtime/secrets/secrets.ts';
import { deliveryAttemptEnded } from '../../../runtime/telemetry/events.ts';
import { createWebhookHttp } from '../../../runtime/outbound/webhook-http.ts';
import { createDelivery, createOwner, createSession } from '../../support/factories.ts';
import { startReceiver, type Answering, type Receiver } from '../../support/receiver.ts';
import { errorOf } from '../../support/error-of.ts';
import { testTemporal, workflowOf } from '../../support/temporal.ts';
import type { Temporal } from '../../../runtime/temporal/connect.ts';
import { toldDuring } from '../../support/told.ts';
import { freePort } from '../../support/free-port.ts';
import { newEnvironment } from '../sessions/steps.ts';
import { useStarted } from '../../support/use-started.ts';

/** The base64 of 16 bytes without its padding. */
const WITHOUT_PADDING = 'whsec_AAECAwQFBgcICQoLDA0ODw';
const SECRET = 'a-secret-of-the-consumer';
const secrets = createSecretBox([Buffer.alloc(32, 1)]);

describe('An attempt to deliver a webhook', () => {
  const http = createWebhookHttp(createAddressGuard(['127.0.0.1']));
  const receiver = useStarted(() => startReceiver((response, request) => answer(response, request)));
  let answer: Answering;
  let temporal: Temporal;
  before(async () => {
    ({ temporal } = await testTemporal());
  });
  beforeEach(() => {
    answer = (response) => response.end();
    receiver.requests.length = 0;
  });

  const run = (delivery_id: string, attempt: number, slots = createOutboundSlots(200, 0.05)): Promise<EndedAttempt> => {
    const reporting = { client: temporal.client, publicUrl: 'https://calls.example' };
    const report = (delivery: DeliveryModel) => reportFailure(reporting, delivery);
    const post = createPostWebhook({ http, secrets, slots, report });
    return newEnvironment().run<Parameters<typeof post>, EndedAttempt, typeof post>(post, {
      delivery_id,
      attempt,
      payer: 'a',
    });
  };

  async function newDelivery({
    url = `${receiver.url}/hook`,
    secret,
    simulated = false,
  }: { url?: string; secret?: string; simulated?: boolean } = {}) {
    const { assistant } = await createOwner({ webhook_url: url });
    if (secret !== undefined) await assistant.$query().patch({ webhook_secret: secrets.seal(secret, assistant.id) });
    return { assistant, delivery: await createDelivery(await createSession(assistant, { simulated })) };
  }

  it('is refused for a later retry while its host has no free slot', async () => {
    const slots = createOutboundSlots(20, 0.05);
    const giveBack = slots.claim({ hostname: '127.0.0.1', payer: 'another' });
    const { delivery } = await newDelivery();
    const refusal = await errorOf(run(delivery.id, 1, slots));
    expect(refusal).to.be.instanceOf(ApplicationFailure).and.to.include({ type: 'no_slot', nonRetryable: false });
    expect((refusal as ApplicationFailure).nextRetryDelay).to.be.within(1_000, 2_000);
    expect(receiver.requests).to.have.length(0);
    if (typeof giveBack === 'function') giveBack();
    expect(await run(delivery.id, 1, slots)).to.include({ status: 'delivered' });
  });

  const attemptOf = (delivery_id: string, attempt: number) =>
    DeliveryAttemptModel.query().findById([delivery_id, attempt]).throwIfNotFound();
  const deliveryOf = (id: string) => DeliveryModel.query().findById(id).throwIfNotFound();

  it('§6.3 sends the headers of the specification, and no Authorization or signature without a secret', async () => {
    const { delivery } = await newDelivery();
    expect(await run(delivery.id, 1)).to.include({ status: 'delivered', failure: null, status_code: 200 });
    const [{ method, path, headers, body }] = receiver.requests as [Receiver['requests'][0]];
    expect([method, path, body.toString()]).to.deep.equal(['POST', '/hook', delivery.payload]);
    expect(headers).to.include({
      'content-type': 'application/json',
      'x-webhook-event': 'session.completed',
      'x-webhook-delivery': delivery.id,
      'x-webhook-attempt': '1',
      'user-agent': 'conversation-analysis-service/1',
    });
    expect(headers).not.to.have.any.keys('authorization', 'webhook-id', 'webhook-signature', 'webhook-timestamp');
  });

  it('marks the results of stand-ins, and no others', async () => {
    for (const simulated of [true, false]) {
      receiver.requests.length = 0;
      const { delivery } = await newDelivery({ simulated });
      await run(delivery.id, 1);
      expect(receiver.requests[0]?.headers['x-webhook-simulated']).to.equal(simulated ? 'true' : undefined);
    }
  });

  it('§6.3 sends the secret and a signature that a receiver can verify, and does not store the secret', async () => {
    const { delivery } = await newDelivery({ secret: SECRET });
    await run(delivery.id, 1);
    const row = await attemptOf(delivery.id, 1);
    expect(row.request_headers['Authorization']).to.equal('Bearer ***');
    expect(JSON.stringify(row)).not.to.contain(SECRET);
    const [{ headers, body }] = receiver.requests as [Receiver['requests'][0]];
    expect(headers.authorization).to.equal(`Bearer ${SECRET}`);
    expect(headers['webhook-id']).to.equal(delivery.id);
    const consumer = new Webhook(SECRET, { format: 'raw' });
    const signature = headers as Record<string, string>;
    expect(consumer.verify(body, signature)).to.deep.equal(JSON.parse(delivery.payload));
    expect(() => consumer.verify(`${body.toString()} `, signature)).to.throw();
    expect(() => new Webhook('another', { format: 'raw' }).verify(body, signature)).to.throw();
  });

  it('verifies with every library of Standard Webhooks as its readme shows, if the secret is an encoded key', async () => {
    for (const secret of [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      WITHOUT_PADDING,
      'whsec_no base64'.replace(' ', '-'),
      'whsec_',
    ]) {
      receiver.requests.length = 0;
      const { delivery } = await newDelivery({ secret });
      await run(delivery.id, 1);
      const [{ headers, body }] = receiver.requests as [Receiver['requests'][0]];
      const signature = headers as Record<string, string>;
      expect(new Webhook(secret, { format: 'raw' }).verify(body, signature), secret).to.include({
        event: delivery.event,
      });
      const isEncoded = secret.length > 20;
      expect(signature['webhook-signature']?.split(' ')).to.have.length(isEncoded ? 2 : 1);
      const padded = secret === WITHOUT_PADDING ? `${secret}==` : secret;
      if (isEncoded) expect(new Webhook(padded).verify(body, signature)).to.include({ event: delivery.event });
    }
  });

  it('uses the secret as its assistant says: as a token, as a key, or as both', async () => {
    for (const [webhook_auth, hasToken, hasSignature] of [
      ['bearer', true, false],
      ['signature', false, true],
      ['both', true, true],
    ] as const) {
      receiver.requests.length = 0;
      const { assistant, delivery } = await newDelivery({ secret: SECRET });
      await assistant.$query().patch({ webhook_auth });
      await run(delivery.id, 1);
      const { authorization, 'webhook-signature': signature } = receiver.requests[0]?.headers ?? {};
      expect([authorization !== undefined, signature !== undefined], webhook_auth).to.deep.equal([
        hasToken,
        hasSignature,
      ]);
    }
  });

  describe('that was the last one and failed', () => {
    const reportsOf = ({ id }: AssistantModel) =>
      DeliveryModel.query().where({ assistant_id: id, event: 'delivery.failed' }).orderBy('id');
    const failing = async (alerts: Partial<StoredAlert>[]) => {
      answer = (response) => response.writeHead(503).end();
      const { assistant, delivery } = await newDelivery();
      const base = {
        event: 'delivery.failed' as const,
        when: [],
        secret: null,
        auth: 'both' as const,
        format: 'json' as const,
      };
      await assistant
        .$query()
        .patch({ alerts: alerts.map((alert) => ({ ...base, name: 'Down', url: 'https://ops.example/', ...alert })) });
      return { assistant, delivery };
    };
    const failFor = async (assistant: AssistantModel) => {
      const delivery = await createDelivery(await createSession(assistant));
      await run(delivery.id, 4);
      return delivery;
    };

    it('is reported to the alerts for failed deliveries, in their format, and started', async () => {
      const { assistant, delivery } = await failing([
        {},
        { name: 'Chat <!channel>', url: 'https://chat.example/', format: 'slack' },
        { event: 'session.alert', name: 'Result', url: 'https://other.example/', when: ['resolved:eq:false'] },
      ]);
      for (const attempt of [1, 2, 3]) await run(delivery.id, attempt);
      expect(await reportsOf(assistant)).to.deep.equal([]);
      await run(delivery.id, 4);
      const reports = await reportsOf(assistant);
      expect(reports.map(({ alert }) => alert)).to.deep.equal(['Down', 'Chat <!channel>']);
      const receiverHost = new URL(receiver.url).host;
      expect(JSON.parse(reports[0]?.payload ?? '')).to.include({
        event: 'delivery.failed',
        delivery_id: delivery.id,
        session_id: delivery.session_id,
        failed_event: 'session.completed',
        receiver: receiverHost,
        attempts: 4,
        failure: 'http_status',
        status_code: 503,
      });
      expect(JSON.parse(reports[1]?.payload ?? '')).to.deep.equal({
        mrkdwn: false,
        text:
          `https://calls.example/console/w/${delivery.workspace_id}/deliveries/${delivery.id} – ` +
          `Chat &lt;!channel&gt; (${receiverHost}): session.completed, 4 × HTTP 503`,
      });
      for (const { id } of reports) expect(await workflowOf(id)).to.include({ workflowId: id });
    });

    it('is reported once an hour for each receiver, also if several fail at once', async () => {
      const { assistant } = await failing([{}]);
      await Promise.all(Array.from({ length: 5 }, () => failFor(assistant)));
      expect(await reportsOf(assistant)).to.have.length(1);
      await assistant.$query().patch({ webhook_url: `http://127.0.0.1:${await freePort()}/` });
      await failFor(assistant);
      expect(await reportsOf(assistant), 'another receiver').to.have.length(2);
      const ago =
        "update receiver_notices set reported_at = reported_at - interval '61 minutes' where workspace_id = ?";
      await DeliveryModel.knex().raw(ago, [assistant.workspace_id]);
      await failFor(assistant);
      expect(await reportsOf(assistant), 'an hour later').to.have.length(3);
    });

    it('is reported by the next run if the worker died before the report, and a failed report is not reported', async () => {
      const { assistant, delivery } = await failing([{}]);
      await DeliveryAttemptModel.open({ delivery_id: delivery.id, attempt: 4, url: receiver.url, request_headers: {} });
      await DeliveryAttemptModel.end(
        { delivery_id: delivery.id, attempt: 4, failure: 'timeout', status_code: null },
        'failed',
        0,
      );
      expect(await run(delivery.id, 4)).to.include({ status: 'failed' });
      const [report] = await reportsOf(assistant);
      expect(JSON.parse(report?.payload ?? '')).to.include({ failure: 'timeout' });
      await assistant.$query().patch({
        alerts: [{ ...(assistant.alerts ?? [])[0], name: 'Down', url: `${receiver.url}/ops` } as StoredAlert],
      });
      await DeliveryModel.knex().raw('delete from receiver_notices');
      if (report) await run(report.id, 4);
      expect(await reportsOf(assistant)).to.have.length(1);
    });
  });

  it('keeps the words of a response that contain a short secret, and masks the secret behind Bearer', async () => {
    const { delivery } = await newDelivery({ secret: 'a' });
    answer = (response, { headers }) => response.end(`Thanks, all received: ${headers.authorization}`);
    await run(delivery.id, 1);
    expect((await attemptOf(delivery.id, 1)).response_body).to.equal('Thanks, all received: ***');
    const quoted = await newDelivery({ secret: '"a' });
    answer = (response, { headers }) => response.end(JSON.stringify({ got: headers.authorization, thanks: 'a lot' }));
    await run(quoted.delivery.id, 1);
    expect((await attemptOf(quoted.delivery.id, 1)).response_body).to.equal('{"got":"***","thanks":"a lot"}');
  });

  it('stores no secret that the response contains, in any encoding', async () => {
    const secret = String.raw`pa"ss/wo\rd<&'%+`;
    const { delivery } = await newDelivery({ secret });
    answer = (response, { headers }) => {
      const got = headers.authorization ?? '';
      const json = JSON.stringify({ got });
      const html = got
        .replaceAll('&', '&amp;')
        .replaceAll('"', '&quot;')
        .replaceAll('<', '&lt;')
        .replaceAll("'", '&#39;');
      response.setHeader('X-Echo', got);
      response.end([got, json, json.replaceAll('/', String.raw`\/`), encodeURIComponent(got), html].join('\n'));
    };
    expect(await run(delivery.id, 1)).to.include({ status: 'delivered' });
    const { response_body, response_headers } = await attemptOf(delivery.id, 1);
    expect(response_headers).to.include({ 'x-echo': 'Bearer ***' });
    const lines = ['Bearer ***', '{"got":"Bearer ***"}', '{"got":"Bearer ***"}', 'Bearer%20***', 'Bearer ***'];
    expect(response_body?.split('\n')).to.deep.equal(lines);
  });

  it('stores no part of a secret at the end of a truncated response', async () => {
    const { delivery } = await newDelivery({ secret: SECRET });
    answer = (response) => response.end('x'.repeat(16_384 - 10) + SECRET);
    await run(delivery.id, 1);
    const { response_body } = await attemptOf(delivery.id, 1);
    expect(response_body).to.equal(`${'x'.repeat(16_384 - 10)}***`);
  });

  it('without a readable secret fails and sends nothing; the next one uses the new URL and secret', async () => {
    const { assistant, delivery } = await newDelivery();
    const webhook_secret = createSecretBox([Buffer.alloc(32, 9)]).seal(SECRET, assistant.id);
    await assistant.$query().patch({ webhook_secret });
    const failure = 'secret_unreadable';
    for (const _ of ['an attempt', 'its repetition']) {
      expect(await run(delivery.id, 1)).to.include({ status: 'pending', failure, status_code: null });
    }
    expect(await attemptOf(delivery.id, 1)).to.include({ outcome: 'failed', failure, response_body: null });
    expect((await deliveryOf(delivery.id)).next_attempt_at).to.be.instanceOf(Date);
    expect(receiver.requests).to.have.length(0);
    const changed = { webhook_url: `${receiver.url}/new`, webhook_secret: secrets.seal('new', assistant.id) };
    await assistant.$query().patch(changed);
    expect(await run(delivery.id, 2)).to.include({ status: 'delivered' });
    expect(receiver.requests[0]).to.include({ path: '/new' });
    expect(receiver.requests[0]?.headers.authorization).to.equal('Bearer new');
  });

  it('§6.4 sends the same bytes four times; the delivery is pending until the last attempt, and then failed', async () => {
    const { delivery } = await newDelivery();
    answer = (response) => response.writeHead(503).end('busy');
    for (const attempt of [1, 2, 3, 4]) {
      const delayMs = WEBHOOK_DELAYS_MS[attempt - 1];
      const status = delayMs === undefined ? 'failed' : 'pending';
      const before = Date.now();
      expect(await run(delivery.id, attempt)).to.include({ status, failure: 'http_status', status_code: 503 });
      const row = await attemptOf(delivery.id, attempt);
      expect(row).to.include({ outcome: 'failed', failure: 'http_status', status_code: 503, response_body: 'busy' });
      expect(row.duration_ms).to.be.a('number');
      const { next_attempt_at, ended_at, ...left } = await deliveryOf(delivery.id);
      expect(left.status).to.equal(status);
      expect(next_attempt_at).to.deep.equal(row.next_attempt_at);
      expect(ended_at === null).to.equal(status === 'pending');
      if (delayMs === undefined) expect(next_attempt_at).to.equal(null);
      else expect(next_attempt_at!.getTime()).to.be.within(before + delayMs, Date.now() + delayMs);
    }
    expect(await run(delivery.id, 5)).to.include({ status: 'failed' });
    const sent = receiver.requests.map(({ body, headers }) => [
      body.toString(),
      headers['x-webhook-delivery'],
      headers['x-webhook-attempt'],
    ]);
    expect(sent).to.deep.equal(['1', '2', '3', '4'].map((number) => [delivery.payload, delivery.id, number]));
  });

  it('records a response that contains characters that PostgreSQL cannot store', async () => {
    const { delivery } = await newDelivery();
    answer = (response) => {
      response.setHeader('X-Odd', ['a', Buffer.from([0xe9, 0xff]).toString('latin1')]);
      response.writeHead(200).end(Buffer.concat([Buffer.from([0, 0xff]), Buffer.alloc(100_000, 'a')]));
    };
    expect(await run(delivery.id, 1)).to.include({ status: 'delivered' });
    const row = await attemptOf(delivery.id, 1);
    expect(row.response_truncated).to.equal(true);
    expect(row.response_body)
      .to.have.length(16_384)
      .and.to.match(/^\uFFFD\uFFFDa+$/);
    expect(row.response_headers).to.have.property('x-odd');
  });

  it('whose worker died is not repeated, and is closed as worker_lost', async () => {
    const { delivery } = await newDelivery();
    const { id: delivery_id } = delivery;
    await DeliveryAttemptModel.open({ delivery_id, attempt: 1, url: receiver.url, request_headers: {} });
    const told = await toldDuring(deliveryAttemptEnded, async () =>
      expect(await run(delivery_id, 1)).to.include({ status: 'pending', failure: 'worker_lost', status_code: null }),
    );
    expect(told).to.have.length(1);
    expect(receiver.requests).to.have.length(0);
    expect(await attemptOf(delivery_id, 1)).to.include({ outcome: 'failed', failure: 'worker_lost' });
    expect((await deliveryOf(delivery_id)).next_attempt_at).to.be.instanceOf(Date);
    expect(await run(delivery_id, 2)).to.include({ status: 'delivered' });
  });

  it('whose result was lost is reported again, without another POST or count', async () => {
    const { delivery } = await newDelivery();
    answer = (response) => response.writeHead(500).end();
    const told = await toldDuring(deliveryAttemptEnded, async () => {
      const first = await run(delivery.id, 1);
      expect(await run(delivery.id, 1)).to.deep.equal(first);
    });
    expect(told.map(({ status, failure }) => [status, failure])).to.deep.equal([['pending', 'http_status']]);
    expect(receiver.requests).to.have.length(1);
  });

  it('that ends after it was recorded as lost is counted once', async () => {
    const { delivery } = await newDelivery();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<() => void>();
    answer = (response) => arrive(() => response.end());
    const told = await toldDuring(deliveryAttemptEnded, async () => {
      const first = run(delivery.id, 1);
      const release = await arrived;
      expect(await run(delivery.id, 1)).to.include({ status: 'pending', failure: 'worker_lost' });
      release();
      expect(await first).to.include({ status: 'delivered' });
    });
    expect(told.map(({ failure }) => failure)).to.deep.equal(['worker_lost']);
    expect(await attemptOf(delivery.id, 1)).to.include({ outcome: 'failed', failure: 'worker_lost' });
    expect(await deliveryOf(delivery.id)).to.include({ status: 'delivered', next_attempt_at: null });
    expect(receiver.requests).to.have.length(1);
  });

  it('is not made after the URL was removed or the assistant was deleted; the delivery shows the reason', async () => {
    const removed = await newDelivery();
    await removed.assistant.$query().patch({ webhook_url: null });
    const deleted = await newDelivery();
    await AssistantModel.query().deleteById(deleted.assistant.id);
    for (const [{ delivery }, stop_reason] of [
      [removed, 'webhook_url_removed'],
      [deleted, 'assistant_deleted'],
    ] as const) {
      expect(await run(delivery.id, 2)).to.include({ status: 'stopped', failure: null, status_code: null });
      expect(await deliveryOf(delivery.id)).to.include({ status: 'stopped', stop_reason, next_attempt_at: null });
    }
    expect(receiver.requests).to.have.length(0);
  });

  it('is neither made nor counted for a delivery that has ended or does not exist', async () => {
    const told = await toldDuring(deliveryAttemptEnded, async () => {
      for (const status of ['delivered', 'failed', 'stopped'] as const) {
        const { delivery } = await newDelivery();
        await delivery.$query().patch({ status });
        expect(await run(delivery.id, 2)).to.include({ status });
      }
      expect(await run('dlv_01h455vb4pex5vsknk084sn02q', 1)).to.include({ status: 'stopped' });
    });
    expect(told).to.deep.equal([]);
    expect(receiver.requests).to.have.length(0);
  });
});
