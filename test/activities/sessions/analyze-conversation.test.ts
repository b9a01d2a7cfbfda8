import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ActivityCancellationDetails, ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect } from 'chai';
import { createAnalyzeConversation } from '../../../activities/sessions/analyze-conversation.ts';
import type { AnalysisEnd, StepInput } from '../../../activities/sessions/analyze-conversation.ts';
import { createVendorSilence } from '../../../activities/sessions/vendor-silence.ts';
import { createAssumePrice, createPriceOf } from '../../../activities/vendors/pricing.ts';
import { WebhookPayloadSchema } from '../../../contract/deliveries.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { VendorCallModel } from '../../../db/models/vendor-call.ts';
import { createFairShares } from '../../../runtime/fair-shares.ts';
import type { FairShares } from '../../../runtime/fair-shares.ts';
import { sessionEnded } from '../../../runtime/telemetry/events.ts';
import { silentLog } from '../../support/log.ts';
import { testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createSession } from '../../support/factories.ts';
import { toldDuring } from '../../support/told.ts';
import { ledgerOf, newSession } from './analysis.ts';
import { breakableDatabase } from './database-outage.ts';
import { ANALYSIS, answerJson, answerWell, startFakeVendor } from '../vendors/fake-vendor.ts';
import type { FakeVendor } from '../vendors/fake-vendor.ts';
import { VENDORS } from '../vendors/llm-vendors.ts';

const GOOD = answerWell('openai', { text: JSON.stringify(ANALYSIS) });
const CUT = answerWell('openai', { text: '{', finish: 'truncated' });
const HOOK = { webhook_url: 'https://example.com/hook' };
const MUCH = createFairShares({ total: Infinity, perKey: Infinity });
const MINUTE_MS = 60_000;

const environmentOf = (attempt: number) =>
  new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') });

/** What only a session needs that waits for its vendor, or whose first attempt its analysis makes. */
const UNUSED = { client: undefined as never, log: silentLog, secrets: undefined as never, slots: undefined as never };

describe('The analysis of a session', () => {
  let vendor: FakeVendor;
  before(async () => {
    vendor = await startFakeVendor('openai');
  });
  after(() => vendor.stop());

  interface Run {
    attempt?: number;
    retryWindowMs?: number;
    env?: MockActivityEnvironment;
    conversations?: FairShares;
  }

  /** Returns the outcome, without whom its end wakes. */
  async function run(
    session: Pick<SessionModel, 'id'>,
    { attempt = 1, retryWindowMs = 600_000, env, conversations = MUCH }: Run = {},
  ) {
    const analyze = createAnalyzeConversation({
      llm: vendor.providers,
      priceOf: createPriceOf(),
      assumePrice: createAssumePrice({ perMtokUsd: 20, perAudioHourUsd: 0 }),
      budgets: { maxUsd: null, installationUsd: null },
      retryWindowMs,
      maxSessionsInFlight: 50,
      silence: createVendorSilence(),
      conversations,
      ...UNUSED,
    });
    const environment = env ?? environmentOf(attempt);
    const input: StepInput = { session_id: session.id };
    const { woken: _woken, ...outcome } = await environment.run<[StepInput], AnalysisEnd, typeof analyze>(
      analyze,
      input,
    );
    return outcome;
  }

  const thrownBy = (running: Promise<unknown>): Promise<unknown> =>
    running.then(
      () => expect.fail('the activity succeeded'),
      (error: unknown) => error,
    );

  async function failure(session: Pick<SessionModel, 'id'>, options?: Run): Promise<ApplicationFailure> {
    const error = await thrownBy(run(session, options));
    if (!(error instanceof ApplicationFailure)) throw new Error('not an ApplicationFailure', { cause: error });
    return error;
  }

  const rowOf = ({ id }: Pick<SessionModel, 'id'>) => SessionModel.query().findById(id).throwIfNotFound();
  const deliveriesOf = ({ id }: Pick<SessionModel, 'id'>) => DeliveryModel.query().where({ session_id: id });

  describe('that succeeds', () => {
    it('§2.4 is stored with the session, before it is reported', async () => {
      const session = await newSession('openai');
      vendor.behave(GOOD);
      expect(await run(session)).to.deep.equal({ status: 'completed', delivery_id: null });
      expect(await rowOf(session)).to.deep.include({
        status: 'completed',
        summary_text: ANALYSIS.summary_text,
        raw_response: ANALYSIS,
        temperature_applied: true,
        error: null,
      });
      expect((await rowOf(session)).completed_at).to.be.instanceOf(Date);
      expect(await deliveriesOf(session)).to.deep.equal([]);
    });

    it('holds budgets to what is assumed of a price that nobody knows: the most at first, then what was used', async () => {
      const session = await newSession('openai', { llm_model: 'a-model-of-our-own' });
      let reserved = 0;
      vendor.behave((response, request) => {
        void ledgerOf(session).then(([call]) => {
          reserved = call?.reserved_usd ?? 0;
          GOOD(response, request);
        });
      });
      await run(session);
      const [call] = await ledgerOf(session);
      expect(call?.cost_usd).to.equal(null);
      expect(call?.reserved_usd).to.be.greaterThan(0).and.below(reserved);
    });

    it('is never paid for or counted again: another run reports what is stored', async () => {
      const session = await newSession('openai', HOOK);
      vendor.behave(GOOD);
      const told = await toldDuring(sessionEnded, async () => {
        const { status, delivery_id } = await run(session);
        expect(await run(session, { attempt: 2 })).to.deep.equal({ status, delivery_id });
      });
      expect(told).to.deep.equal([{ status: 'completed' }]);
      expect(vendor.requests).to.have.length(1);
      expect(await ledgerOf(session)).to.have.length(1);
      expect(await deliveriesOf(session)).to.have.length(1);
    });

    it('§6.2 leaves a delivery with exactly the fields of the event, and the sum of all calls as total_cost', async () => {
      const session = await newSession('openai', HOOK);
      vendor.behave(CUT, GOOD);
      const { delivery_id } = await run(session);
      const [delivery, ...others] = await deliveriesOf(session);
      expect(others).to.deep.equal([]);
      expect(delivery).to.include({ id: delivery_id, status: 'pending', event: 'session.completed' });
      const calls = await ledgerOf(session);
      expect(calls).to.have.length(2);
      const payload: unknown = JSON.parse(delivery!.payload);
      expect(payload).to.deep.equal({
        event: 'session.completed',
        session_id: session.id,
        assistant_id: session.assistant_id,
        status: 'completed',
        summary_text: ANALYSIS.summary_text,
        raw_response: ANALYSIS,
        total_cost: calls.reduce((sum, call) => sum + (call.cost_usd ?? 0), 0),
        created_at: session.created_at.toISOString(),
      });
      expect(WebhookPayloadSchema.parse(payload)).to.deep.equal(payload);
    });

    it('stores result and delivery together or not at all', async () => {
      const session = await newSession('openai', HOOK);
      const { db } = testDatabase();
      const guard = `refuse_${randomUUID().replaceAll('-', '')}`;
      await db.raw(`
        create function ${guard}() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
        create trigger ${guard} before insert on deliveries for each row
          when (new.session_id = '${session.id}') execute function ${guard}();
      `);
      vendor.behave(GOOD);
      const error = await thrownBy(run(session));
      await db.raw(`drop trigger ${guard} on deliveries; drop function ${guard}();`);
      expect(error).to.be.instanceOf(Error);
      expect(await rowOf(session)).to.include({ status: 'analyzing', summary_text: null });
      expect(await deliveriesOf(session)).to.deep.equal([]);
      expect(await run(session)).to.include({ status: 'completed' });
    });

    it('does not overwrite an end that came first', async () => {
      const session = await newSession('openai', HOOK);
      vendor.behave((response, request) => {
        void SessionModel.finish(session.id, { status: 'canceled' }).then(() => GOOD(response, request));
      });
      const told = await toldDuring(sessionEnded, async () =>
        expect(await run(session)).to.deep.equal({ status: 'canceled', delivery_id: null }),
      );
      expect(told).to.deep.equal([]);
      expect(await rowOf(session)).to.include({ status: 'canceled', summary_text: null });
      expect(await deliveriesOf(session)).to.deep.equal([]);
    });

    it('is not lost while the database is away after the vendor answered', async () => {
      const session = await newSession('openai', HOOK);
      const database = await breakableDatabase();
      try {
        vendor.behave((response, request) => {
          database.begin();
          GOOD(response, request);
        });
        const running = run(session);
        await eventually(database.refused, (count) => count > 0);
        database.end();
        expect(await running).to.include({ status: 'completed' });
      } finally {
        await database.restore();
      }
      expect(vendor.requests).to.have.length(1);
      expect((await ledgerOf(session)).map((call) => call.status)).to.deep.equal(['succeeded']);
      expect(await deliveriesOf(session)).to.have.length(1);
    });
  });

  describe('that does not begin', () => {
    it('of a session that does not exist is reported as gone', async () => {
      vendor.behave(GOOD);
      expect(await run({ id: 'sess_01h455vb4pex5vsknk084sn02q' })).to.deep.equal({ status: 'gone', delivery_id: null });
      expect(vendor.requests).to.have.length(0);
    });

    for (const status of ['canceled', 'failed'] as const) {
      it(`of a session that is ${status} calls nobody`, async () => {
        const session = await createSession(await newSession('openai').then(assistantOf), { status });
        vendor.behave(GOOD);
        expect(await run(session)).to.deep.equal({ status, delivery_id: null });
        expect(vendor.requests).to.have.length(0);
      });
    }
  });

  describe('that fails', () => {
    const faults: [number, string, boolean][] = [
      [400, 'bad_input', true],
      [401, 'auth', true],
      [402, 'quota_exceeded', true],
      [403, 'auth', true],
      [404, 'bad_input', true],
      [408, 'unavailable', false],
      [413, 'too_large', true],
      [422, 'bad_input', true],
      [429, 'rate_limited', false],
      [500, 'unavailable', false],
      [503, 'unavailable', false],
      [504, 'timeout', false],
      [529, 'unavailable', false],
    ];
    for (const [status, type, isFinal] of faults) {
      it(`with HTTP ${status} is ${type}, and ${isFinal ? 'final' : 'tried again'}`, async () => {
        const session = await newSession('openai');
        vendor.behave(answerJson(status, VENDORS.openai.error(status)));
        const error = await failure(session);
        expect(error).to.include({ type, nonRetryable: isFinal });
        expect(error.details?.[0]).to.deep.include({
          code: type,
          stage: 'analysis',
          provider: 'openai',
          retryable: !isFinal || type === 'quota_exceeded',
        });
        expect(error.nextRetryDelay === undefined).to.equal(isFinal);
        expect(vendor.requests).to.have.length(1);
        const [call] = await ledgerOf(session);
        expect(call).to.include({ status: 'failed', cost_usd: 0 });
        expect(call?.error).to.include({ fault: type, http_status: status });
        expect((await rowOf(session)).status).to.equal('analyzing');
      });
    }

    it('quotes nothing of the conversation, the instructions or the vendor', async () => {
      const words = 'strictly confidential';
      const session = await newSession('openai', { system_prompt: words }, [{ role: 'client', text: words }]);
      const bodies = [
        answerJson(400, { error: { message: `bad: ${words}`, code: words, type: words, param: words } }),
        answerJson(500, words),
        answerJson(200, words),
        answerJson(200, { choices: [{ message: { refusal: words } }] }),
        answerJson(200, { choices: [{ message: { content: { words } } }] }),
        answerJson(401, { error: { message: words } }, { 'x-request-id': 'call-1' }),
      ];
      for (const body of bodies) {
        vendor.behave(body);
        const { message, details, cause, stack, type } = await failure(session);
        expect(JSON.stringify([message, details, cause?.message, cause?.stack, stack, type])).not.to.contain(words);
      }
    });

    it("is tried again never sooner than the vendor's Retry-After", async () => {
      vendor.behave(answerJson(429, VENDORS.openai.error(429), { 'Retry-After': '30' }));
      expect((await failure(await newSession('openai'))).nextRetryDelay).to.equal(30_000);
    });

    it('is tried again after waits that grow up to a minute', async () => {
      const session = await newSession('openai');
      vendor.behave(answerJson(503, VENDORS.openai.error(503)));
      const delays: unknown[] = [];
      for (const attempt of [1, 2, 3, 6, 7, 40]) delays.push((await failure(session, { attempt })).nextRetryDelay);
      expect(delays).to.deep.equal([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
    });
  });

  describe('that goes on failing', () => {
    /** A session queued a day ago, with one earlier call of the same run that ended some time ago. */
    async function afterCall(
      endedMsAgo: number,
      call: Partial<VendorCallModel>,
      queuedMsAgo = 24 * 60 * MINUTE_MS,
    ): Promise<SessionModel> {
      const ago = (ms: number) => new Date(Date.now() - ms);
      const session = await createSession(await newSession('openai').then(assistantOf), {
        queued_at: ago(queuedMsAgo),
      });
      await insertCall(session, { started_at: ago(endedMsAgo + 1_000), ended_at: ago(endedMsAgo), ...call });
      return session;
    }

    beforeEach(() => vendor.behave(answerJson(503, VENDORS.openai.error(503))));
    const unavailable = { fault: 'unavailable' as const, http_status: 503, message: 'x' };

    it('is tried for the retry window, counted from the first call that failed', async () => {
      const within = await afterCall(9 * MINUTE_MS, { status: 'failed', error: unavailable });
      expect((await failure(within)).nonRetryable).to.equal(false);
      const beyond = await afterCall(10 * MINUTE_MS, { status: 'failed', error: unavailable });
      const error = await failure(beyond);
      expect(error.nonRetryable).to.equal(true);
      expect(error.details?.[0]).to.include({ code: 'unavailable', retryable: true });
    });

    it('is not tried beyond the window for the sake of a long Retry-After', async () => {
      vendor.behave(answerJson(429, VENDORS.openai.error(429), { 'Retry-After': '3600' }));
      expect((await failure(await newSession('openai'))).nonRetryable).to.equal(true);
    });

    it('gets a new window with a retry of the session', async () => {
      const session = await afterCall(30 * MINUTE_MS, { status: 'failed', error: unavailable }, 5 * MINUTE_MS);
      expect((await failure(session)).nonRetryable).to.equal(false);
    });

    it('does not count a call that a shutdown of the worker cut short', async () => {
      const canceled = { fault: 'canceled' as const, http_status: null, message: 'x' };
      const session = await afterCall(30 * MINUTE_MS, { status: 'failed', error: canceled });
      expect((await failure(session)).nonRetryable).to.equal(false);
    });

    it('does not count a call that was lost with its worker', async () => {
      const session = await afterCall(30 * MINUTE_MS, { status: 'lost', ended_at: null });
      expect((await failure(session)).nonRetryable).to.equal(false);
    });

    it('ends after so many calls as only a fault of ours could make', async () => {
      const session = await newSession('openai');
      for (let attempt = 1; attempt <= 25; attempt++) await insertCall(session, { attempt, status: 'succeeded' });
      expect(await failure(session)).to.include({ nonRetryable: true, type: 'internal' });
      expect(vendor.requests).to.have.length(0);
    });
  });

  describe('whose worker is lost', () => {
    it('leaves a call that began and never reported as lost in the ledger', async () => {
      const session = await newSession('openai');
      await insertCall(session, { status: 'running' });
      vendor.behave(GOOD);
      await run(session, { attempt: 2 });
      expect((await ledgerOf(session)).map(({ attempt, status }) => [attempt, status])).to.deep.equal([
        [1, 'lost'],
        [2, 'succeeded'],
      ]);
    });

    it('shows that it lives while the vendor thinks', async () => {
      const session = await newSession('openai');
      const env = environmentOf(1);
      const beat = once(env, 'heartbeat');
      vendor.behave((response, request) => void beat.then(() => GOOD(response, request)));
      expect(await run(session, { env })).to.include({ status: 'completed' });
    });
  });

  describe('while the worker holds as much of its user as it may', () => {
    let conversations: FairShares;
    let giveBack: () => void;
    let waiting: SessionModel;
    let asked: number;
    beforeEach(async () => {
      // What is small needs no share.
      waiting = await newSession('openai', {}, [{ role: 'client', text: 'My parcel is late. '.repeat(1_000) }]);
      conversations = createFairShares({ total: 1_000, perKey: 500 });
      giveBack = await conversations.take(waiting.user_id, 500);
      asked = 0;
      vendor.behave((response, call) => {
        asked += 1;
        GOOD(response, call);
      });
    });

    it('waits and reports that it lives, keeps no other user waiting, and goes on', async () => {
      const env = environmentOf(1);
      const beat = once(env, 'heartbeat');
      const running = run(waiting, { env, conversations });
      expect(await run(await newSession('openai'), { conversations })).to.include({ status: 'completed' });
      await beat;
      expect([asked, (await rowOf(waiting)).status]).to.deep.equal([1, 'queued']);
      giveBack();
      expect(await running).to.include({ status: 'completed' });
    });

    it('is canceled without having asked the vendor', async () => {
      const env = environmentOf(1);
      const thrown = thrownBy(run(waiting, { env, conversations }));
      await once(env, 'heartbeat');
      env.cancel();
      expect(await thrown).to.be.instanceOf(CancelledFailure);
      expect([asked, await ledgerOf(waiting)]).to.deep.equal([0, []]);
    });
  });

  describe('that is canceled', () => {
    /** Cancels once the vendor has been asked, and waits until the vendor sees its socket closed. */
    async function cancelInTheMiddle(session: SessionModel, cancel: (env: MockActivityEnvironment) => void) {
      const env = environmentOf(1);
      const asked = new Promise<ServerResponse>((resolve) => vendor.behave((response) => resolve(response)));
      const thrown = thrownBy(run(session, { env }));
      const response = await asked;
      const closed = once(response, 'close');
      cancel(env);
      await closed;
      return thrown;
    }

    it('aborts the call to the vendor, and says so in the ledger', async () => {
      const session = await newSession('openai');
      const error = await cancelInTheMiddle(session, (env) => env.cancel());
      expect(error).to.be.instanceOf(CancelledFailure);
      const [call] = await ledgerOf(session);
      expect(call).to.include({ status: 'failed', cost_usd: null });
      expect(call?.error?.fault).to.equal('canceled');
      expect((await rowOf(session)).status).to.equal('analyzing');
    });

    it("by its worker's shutdown is tried again elsewhere", async () => {
      const session = await newSession('openai');
      const shutdown = new ActivityCancellationDetails({ workerShutdown: true });
      const error = await cancelInTheMiddle(session, (env) => env.cancel('WORKER_SHUTDOWN', shutdown));
      expect(error).to.be.instanceOf(ApplicationFailure).and.to.include({ nonRetryable: false });
      vendor.behave(GOOD);
      expect(await run(session, { attempt: 2 })).to.include({ status: 'completed' });
    });
  });
});

function assistantOf({ assistant_id }: SessionModel): Promise<AssistantModel> {
  return AssistantModel.query().findById(assistant_id).throwIfNotFound().execute();
}

async function insertCall(session: SessionModel, fields: Partial<VendorCallModel>): Promise<void> {
  const { id: session_id, user_id, assistant_id } = session;
  await VendorCallModel.query().insert({
    session_id,
    user_id,
    assistant_id,
    step: 'analysis',
    attempt: 1,
    provider: 'openai',
    model: 'gpt-6-luna',
    ...fields,
  } as Partial<VendorCallModel>);
}
