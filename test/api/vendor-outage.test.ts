import { expect } from 'chai';
import { createSweepLostSessions } from '../../activities/sweeps/sweep-lost-sessions.ts';
import { createAssistant as createEndpoint, updateAssistant } from '../../contract/assistants.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { VendorOutageModel } from '../../db/models/vendor-outage.ts';
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import type { AssistantFields } from '../../db/models/assistant.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { SessionOwner } from '../support/sessions.ts';
import { testTemporal } from '../support/temporal.ts';
import { submitVoice } from '../support/voice.ts';

const CAP = 5;
const DAY_MS = 24 * 3_600_000;

describe('While a vendor is away', () => {
  let standIns: Awaited<ReturnType<typeof startVendors>>;
  /** Stands before OpenAI's stand-in. */
  let vendor: Receiver;
  let service: TestService;
  /** What it answers instead of the stand-in. */
  let status: number | undefined;
  let webhooks: Receiver;

  before(async function () {
    this.timeout(0);
    standIns = await startVendors();
    vendor = await startReceiver((response, { method, path, headers, body }) => {
      if (status !== undefined) return void response.writeHead(status).end('{}');
      const { authorization = '', 'content-type': type = '' } = headers;
      const init = { method, headers: { authorization, 'content-type': type }, body: new Uint8Array(body) };
      void fetch(standIns.url + path, init).then(async (answer) => {
        response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
      });
    });
    webhooks = await startReceiver();
    const { OPENAI_BASE_URL, WHISPER_BASE_URL } = standInEnvironment(['openai', 'whisper'], vendor.url);
    const env = {
      OPENAI_BASE_URL,
      WHISPER_BASE_URL,
      MAX_SESSIONS_IN_FLIGHT_PER_USER: String(CAP),
      PROVIDER_RETRY_WINDOW_S: '0',
    };
    service = await startTestService({ env });
  });
  after(async () => {
    await service.stop();
    await Promise.all([vendor.stop(), webhooks.stop(), standIns.stop()]);
  });
  beforeEach(() => {
    status = 503;
    vendor.requests.length = 0;
    webhooks.requests.length = 0;
  });
  afterEach(async () => {
    // A run that still writes may be in the way: PostgreSQL then ends one of the two.
    await eventually(
      () =>
        SessionModel.query()
          .delete()
          .then(
            () => true,
            () => false,
          ),
      (isGone) => isGone,
    );
    await VendorOutageModel.query().delete();
  });

  const newOwner = (fields: Partial<AssistantFields> = {}) =>
    createSessionOwner(() => service.api, { on_vendor_outage: 'wait', ...fields });

  const untilWaiting = (owner: SessionOwner, id: string) =>
    eventually(
      () => owner.read(id),
      ({ waiting_for }) => waiting_for !== null,
    );

  const untilAllWait = (ids: string[]) =>
    eventually(
      () => SessionModel.query().whereIn('id', ids).whereNotNull('waiting_for_provider').resultSize(),
      (count) => count === ids.length,
    );

  /** Has the sweep find the next probe due. */
  async function probe(): Promise<void> {
    const { temporal } = await testTemporal();
    await VendorOutageModel.query().patch({ next_probe_at: new Date() });
    await createSweepLostSessions({ client: temporal.client, log: silentLog, maxSessionsInFlight: CAP })();
  }

  /** Has no probe be due by itself while a busy machine takes its time. */
  const holdProbes = () => VendorOutageModel.query().patch({ next_probe_at: new Date(Date.now() + DAY_MS) });

  const untilBack = () =>
    eventually(
      async () => VendorOutageModel.query().resultSize(),
      (count) => count === 0,
    );

  const untilProbed = (times: number) =>
    eventually(
      async () => (await VendorOutageModel.find('openai'))?.probes,
      (probes) => probes === times,
    );

  it('a session fails and says that trying again may help, unless its assistant waits', async () => {
    const owner = await newOwner({ on_vendor_outage: 'fail' });
    const { error, waiting_for } = await owner.untilEnded(await owner.submit());
    expect(error).to.include({ code: 'unavailable', provider: 'openai', retryable: true });
    expect([waiting_for, await VendorOutageModel.find('openai')]).to.deep.equal([null, undefined]);
  });

  it('a session waits in the queue, says for whom, and ends once, after the vendor is back', async () => {
    const owner = await newOwner({ webhook_url: webhooks.url });
    const id = await owner.submit();
    const waiting = await untilWaiting(owner, id);
    expect(waiting).to.include({ status: 'queued', completed_at: null, error: null });
    expect(waiting.waiting_for).to.include({ provider: 'openai', reason: 'unavailable' });
    expect(webhooks.requests).to.have.length(0);
    status = undefined;
    await probe();
    const ended = await owner.untilEnded(id);
    expect(ended).to.include({ status: 'completed', waiting_for: null });
    expect(ended.cost_breakdown[0]?.calls).to.equal(2);
    await untilBack();
    await eventually(
      () => webhooks.requests.length,
      (count) => count === 1,
    );
  });

  it('many sessions make one call per probe, and all go on when it is answered', async function () {
    this.timeout(120_000);
    const owners = [await newOwner(), await newOwner()];
    const first = await owners[0]!.submit();
    await untilWaiting(owners[0]!, first);
    await holdProbes();
    const ids = [first];
    for (let round = 0; round < 12; round++) for (const owner of owners) ids.push(await owner.submit());
    await untilAllWait(ids);
    expect(vendor.requests).to.have.length(1);
    for (let probes = 1; probes <= 3; probes++) {
      await probe();
      await untilProbed(probes);
      await holdProbes();
      expect(vendor.requests).to.have.length(1 + probes);
    }
    status = undefined;
    await probe();
    await eventually(
      () => SessionModel.query().whereIn('id', ids).where({ status: 'completed' }).resultSize(),
      (count) => count === ids.length,
      100_000,
    );
    // Each of the others is called for once: nothing is paid twice.
    expect(vendor.requests).to.have.length(1 + 3 + ids.length);
  });

  it("sessions that wait hold up none of their owner's on another vendor", async () => {
    const owner = await newOwner();
    const waiting: string[] = [];
    for (let count = 0; count < 2 * CAP; count++) waiting.push(await owner.submit());
    await untilAllWait(waiting);
    const { user_id } = owner.assistant;
    const other = await createAssistant(user_id, { llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' });
    const id = await owner.submit('Another vendor.', other);
    expect((await owner.untilEnded(id)).status).to.equal('completed');
  });

  it('a session that waits can be canceled, and is called for no more', async () => {
    const owner = await newOwner();
    const id = await owner.submit();
    await untilWaiting(owner, id);
    const { body } = await owner.cancel(id);
    expect(body).to.include({ status: 'canceled', waiting_for: null });
    await probe();
    expect(await VendorOutageModel.find('openai'), 'nobody waits').to.equal(undefined);
    expect(vendor.requests).to.have.length(1);
  });

  it('a session waits for a day and no longer', async () => {
    const owner = await newOwner();
    const id = await owner.submit();
    await untilWaiting(owner, id);
    await SessionModel.query()
      .findById(id)
      .patch({ waiting_since: new Date(Date.now() - DAY_MS - 1_000) });
    await probe();
    const { status: end, error } = await owner.untilEnded(id);
    expect(end).to.equal('failed');
    expect(error).to.include({ code: 'unavailable', provider: 'openai', stage: 'analysis', retryable: true });
    expect(vendor.requests).to.have.length(1);
  });

  it('a refusal shows that the vendor is there: it fails its own session, and the others go on', async () => {
    const owner = await newOwner();
    const ids = [await owner.submit()];
    await untilWaiting(owner, ids[0]!);
    ids.push(await owner.submit('Another one.'));
    await untilAllWait(ids);
    status = 400;
    await probe();
    expect(await owner.untilEnded(ids[0]!)).to.deep.include({ status: 'failed' });
    status = undefined;
    expect(['completed', 'failed']).to.include((await owner.untilEnded(ids[1]!)).status);
    await untilBack();
  });

  it('a budget that is used up ends a session that goes on, before it is paid for', async () => {
    const owner = await newOwner();
    const id = await owner.submit();
    await untilWaiting(owner, id);
    await VendorCallModel.knex().raw('update users set monthly_budget_usd = 0 where id = ?', [owner.assistant.user_id]);
    status = undefined;
    await probe();
    expect((await owner.untilEnded(id)).error).to.include({ code: 'budget_exceeded' });
    expect(vendor.requests).to.have.length(1);
    const outage = await VendorOutageModel.find('openai');
    expect(outage, 'it told nothing of the vendor').to.include({ probe_session: null });
  });

  describe('its fallback', () => {
    const ANTHROPIC = { llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' } as const;
    const FALLBACK = { ...ANTHROPIC, stt_provider: null, stt_model: null };

    it('answers, and the session says who did and why, and pays for that alone', async () => {
      const owner = await newOwner({ on_vendor_outage: 'fail', fallback: FALLBACK });
      const session = await owner.untilEnded(await owner.submit());
      expect(session).to.include({ status: 'completed', error: null });
      expect(session.assistant).to.include({ llm_provider: 'openai' });
      const { llm_provider: provider, llm_model: model } = ANTHROPIC;
      expect(session.answered_by).to.deep.equal([{ step: 'analysis', provider, model, reason: 'unavailable' }]);
      const costs = new Map(session.cost_breakdown.map((item) => [item.provider, item.cost_usd]));
      expect(costs.get('openai')).to.equal(0);
      expect(session.total_cost).to.equal(costs.get('anthropic'));

      await owner.untilEnded(await owner.submit('The next one.'));
      expect(vendor.requests, 'the next session does not try the first').to.have.length(1);
      status = undefined;
      await VendorOutageModel.query().patch({ next_probe_at: new Date() });
      expect((await owner.untilEnded(await owner.submit('Back.'))).answered_by).to.equal(null);
      await untilBack();
    });

    it('answers at once where the account has no credit left', async () => {
      status = 402;
      const owner = await newOwner({ on_vendor_outage: 'fail', fallback: FALLBACK });
      const session = await owner.untilEnded(await owner.submit());
      expect(session.answered_by?.map(({ reason }) => reason)).to.deep.equal(['quota_exceeded']);
      expect(vendor.requests).to.have.length(1);
    });

    it('is away too: the session waits for the first', async () => {
      const owner = await newOwner({ fallback: FALLBACK });
      const { waiting_for } = await untilWaiting(owner, await owner.submit('[vendor status=503]'));
      expect(waiting_for).to.include({ provider: 'openai', reason: 'unavailable' });
    });

    it('transcribes as well', async () => {
      const { token, assistant } = await newOwner();
      const stt = { stt_provider: 'elevenlabs', stt_model: 'scribe_v2' } as const;
      const voice = await createAssistant(assistant.user_id, {
        ...{ type: 'voice', stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' },
        fallback: { ...ANTHROPIC, ...stt },
      });
      const session = await submitVoice(service.api, { token, assistantId: voice.id });
      expect(session.status).to.equal('completed');
      expect(session.answered_by?.map(({ step, provider }) => `${step} ${provider}`)).to.deep.equal([
        'transcription elevenlabs',
        'analysis anthropic',
      ]);
    });

    it('is refused where it could not answer', async () => {
      const { token } = await newOwner();
      const refusalOf = async (fallback: object, fields: object = {}) => {
        const text = { name: 'A', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.' };
        const { problem } = await send(service.api, createEndpoint, { token, body: { ...text, ...fields, fallback } });
        return problem.errors?.map(({ path }) => path);
      };
      expect(await refusalOf({})).to.deep.equal(['fallback']);
      expect(await refusalOf({ llm_model: 'x' })).to.include('fallback.llm_model');
      expect(await refusalOf({ llm_provider: 'openai' })).to.deep.equal(['fallback.llm_provider']);
      expect(await refusalOf({ stt_provider: 'aisha' })).to.deep.equal(['fallback.stt_provider']);
    });

    it('is a setting of the version, with its own default model', async () => {
      const { token, assistant } = await newOwner();
      const body = { fallback: { llm_provider: 'anthropic' } };
      const { body: changed } = await send(service.api, updateAssistant, { token, params: { id: assistant.id }, body });
      expect(changed).to.deep.include({ version: 2, fallback: FALLBACK });
    });
  });
});
