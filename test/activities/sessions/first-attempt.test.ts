import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect } from 'chai';
import { createAnalyzeConversation } from '../../../activities/sessions/analyze-conversation.ts';
import type { AnalysisOutcome, StepInput } from '../../../activities/sessions/analyze-conversation.ts';
import { createVendorSilence } from '../../../activities/sessions/vendor-silence.ts';
import { createAssumePrice, createPriceOf } from '../../../activities/vendors/pricing.ts';
import { deliversAtOnce } from '../../../activities/sessions/deliver-at-once.ts';
import { createPostWebhook } from '../../../activities/webhooks/post-webhook.ts';
import { createWebhookSlots } from '../../../activities/webhooks/webhook-slots.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { createFairShares } from '../../../runtime/fair-shares.ts';
import { createAddressGuard } from '../../../runtime/outbound/address-guard.ts';
import { createWebhookHttp } from '../../../runtime/outbound/webhook-http.ts';
import type { WebhookHttp } from '../../../runtime/outbound/webhook-http.ts';
import { createSecretBox } from '../../../runtime/secrets.ts';
import { silentLog } from '../../support/log.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Answering, Receiver } from '../../support/receiver.ts';
import { ANALYSIS, answerWell, startFakeVendor } from '../vendors/fake-vendor.ts';
import type { FakeVendor } from '../vendors/fake-vendor.ts';
import { newSession } from './analysis.ts';

const GOOD = answerWell('openai', { text: JSON.stringify(ANALYSIS) });
const SECRET = 'a-secret-of-the-consumer';
const secrets = createSecretBox([Buffer.alloc(32, 1)]);

describe('The first attempt to deliver a result', () => {
  let vendor: FakeVendor;
  let http: WebhookHttp;
  let receiver: Receiver;
  let answer: Answering;
  let slots: ReturnType<typeof createWebhookSlots>;
  before(async () => {
    vendor = await startFakeVendor('openai');
    http = createWebhookHttp(createAddressGuard(['127.0.0.1']));
    receiver = await startReceiver((response, request) => answer(response, request));
  });
  after(() => Promise.all([vendor.stop(), http.close(), receiver.stop()]));
  beforeEach(() => {
    answer = (response) => response.end();
    receiver.requests.length = 0;
    slots = createWebhookSlots({ total: 2, perHost: 1, perUser: 1 });
    vendor.behave(GOOD);
  });

  const inActivity = <I, O>(activity: (input: I) => Promise<O>, input: I, env = newEnvironment()): Promise<O> =>
    env.run<[I], O, typeof activity>(activity, input);
  const newEnvironment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

  function run({ id }: SessionModel, input: Partial<StepInput> = {}, env?: MockActivityEnvironment) {
    const analyze = createAnalyzeConversation({
      llm: vendor.providers,
      priceOf: createPriceOf(),
      assumePrice: createAssumePrice({ perMtokUsd: 0, perAudioHourUsd: 0 }),
      budgets: { maxUsd: null, installationUsd: null },
      retryWindowMs: 0,
      maxSessionsInFlight: 50,
      silence: createVendorSilence(),
      conversations: createFairShares({ total: Infinity, perKey: Infinity }),
      ...{ secrets, slots, client: undefined as never, log: silentLog },
    });
    const activity = deliversAtOnce({ http, log: silentLog }, analyze);
    return inActivity<StepInput, AnalysisOutcome>(activity, { session_id: id, delivers: true, ...input }, env);
  }

  async function newSessionWithHook(): Promise<SessionModel> {
    const session = await newSession('openai', { webhook_url: `${receiver.url}/hook` });
    const webhook_secret = secrets.seal(SECRET, session.assistant_id);
    await AssistantModel.query().findById(session.assistant_id).patch({ webhook_secret });
    return session;
  }

  const deliveryOf = ({ id }: SessionModel) => DeliveryModel.query().findOne({ session_id: id }).throwIfNotFound();
  const attemptsOf = (delivery_id: string | null) => DeliveryAttemptModel.query().where({ delivery_id });
  const host = () => new URL(receiver.url).host;

  it('is made by the analysis: its row is stored with the result, then comes the one POST, and its end is recorded', async () => {
    const session = await newSessionWithHook();
    let before: unknown;
    answer = (response) =>
      void deliveryOf(session).then(async ({ id, session_id }) => {
        const [attempt] = await attemptsOf(id);
        const { status } = await SessionModel.query().findById(session_id!).throwIfNotFound();
        before = [attempt?.outcome, attempt?.url, attempt?.request_headers['Authorization'], status];
        response.end();
      });
    const outcome = await run(session);
    const delivery = await deliveryOf(session);
    expect(outcome).to.deep.equal({
      ...{ status: 'completed', delivery_id: delivery.id, webhook_host: host() },
      first_attempt: { status: 'delivered', failure: null, status_code: 200, host: host() },
    });
    expect(before).to.deep.equal([null, `${receiver.url}/hook`, 'Bearer ***', 'completed']);
    expect(delivery).to.include({ status: 'delivered', next_attempt_at: null });
    const [attempt] = await attemptsOf(delivery.id);
    expect(attempt).to.include({ attempt: 1, outcome: 'succeeded', status_code: 200 });
    const [request] = receiver.requests;
    expect(request?.body.toString()).to.equal(delivery.payload);
    expect(request?.headers).to.include({ authorization: `Bearer ${SECRET}`, 'x-webhook-attempt': '1' });
    expect(receiver.requests).to.have.length(1);
  });

  it('§6.4 that fails leaves the delivery pending until the next one is due', async () => {
    const session = await newSessionWithHook();
    answer = (response) => response.writeHead(503).end();
    expect((await run(session)).first_attempt).to.deep.include({ status: 'pending', failure: 'http_status' });
    const { status, next_attempt_at } = await deliveryOf(session);
    expect(status).to.equal('pending');
    expect(next_attempt_at!.getTime()).to.be.within(Date.now() + 20_000, Date.now() + 31_000);
  });

  it('is left to the workflow where the URL or the secret changed while the model thought', async () => {
    const changes = { webhook_url: 'http://127.0.0.2/other', webhook_secret: null };
    for (const [column, value] of Object.entries(changes)) {
      const session = await newSessionWithHook();
      vendor.behave((response, request) => {
        const change = AssistantModel.query()
          .findById(session.assistant_id)
          .patch({ [column]: value });
        void change.then(() => GOOD(response, request));
      });
      const { delivery_id, webhook_host, first_attempt } = await run(session);
      expect([first_attempt, await attemptsOf(delivery_id)]).to.deep.equal([undefined, []]);
      expect(webhook_host).to.equal(column === 'webhook_url' ? '127.0.0.2' : host());
    }
    expect(receiver.requests).to.deep.equal([]);
  });

  it('is left to the workflow where the secret does not open, and the result is stored all the same', async () => {
    const session = await newSessionWithHook();
    const webhook_secret = createSecretBox([Buffer.alloc(32, 9)]).seal(SECRET, session.assistant_id);
    await AssistantModel.query().findById(session.assistant_id).patch({ webhook_secret });
    const { status, delivery_id, first_attempt } = await run(session);
    expect([status, first_attempt, await attemptsOf(delivery_id)]).to.deep.equal(['completed', undefined, []]);
    expect(receiver.requests).to.deep.equal([]);
  });

  it('is left to the workflow where enough are under way, and holds no slot once it is made', async () => {
    const session = await newSessionWithHook();
    const free = slots.claim({ hostname: '127.0.0.1', userId: 'another' });
    const { delivery_id, first_attempt } = await run(session);
    expect([first_attempt, await attemptsOf(delivery_id)]).to.deep.equal([undefined, []]);
    if (typeof free === 'function') free();
    for (let i = 0; i < 3; i++) expect((await run(await newSessionWithHook())).first_attempt).to.not.equal(undefined);
  });

  it('is made by no run but the one that stored the result', async () => {
    const session = await newSessionWithHook();
    let again: AnalysisOutcome | undefined;
    answer = (response) =>
      void run(session)
        .then((outcome) => (again = outcome))
        .then(() => response.end());
    const { delivery_id } = await run(session);
    expect(again).to.deep.equal({ status: 'completed', delivery_id });
    expect((await attemptsOf(delivery_id)).map(({ outcome }) => outcome)).to.deep.equal(['succeeded']);
    expect(receiver.requests).to.have.length(1);
  });

  it('is left to a workflow of a former release, which asks for it', async () => {
    const session = await newSessionWithHook();
    const { delivery_id, first_attempt } = await run(session, { delivers: false });
    expect([first_attempt, await attemptsOf(delivery_id)]).to.deep.equal([undefined, []]);
  });

  it('that is interrupted counts as lost, and is not made again', async () => {
    const session = await newSessionWithHook();
    const env = newEnvironment();
    answer = () => env.cancel();
    const { delivery_id, first_attempt } = await run(session, {}, env);
    expect(first_attempt).to.equal(undefined);
    const post = createPostWebhook({ http, secrets, slots });
    const outcome = await inActivity(post, { delivery_id: delivery_id!, attempt: 1 });
    expect(outcome).to.deep.include({ status: 'pending', failure: 'worker_lost' });
    expect(receiver.requests).to.have.length(1);
  });
});
