import { once } from 'node:events';
import { inspect } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import type { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { finishSession, requeueSession } from '../../../db/queries/session-status.ts';
import { Model } from 'objection';
import {
  createProviderBulkheads,
  type ProviderBulkheads,
} from '../../../activities/providers/policy/provider-bulkheads.ts';
import { WebhookPayloadSchema } from '../../../contract/sessions/deliveries.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { connectDatabase } from '../../../db/connect.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { sessionEnded } from '../../../runtime/telemetry/events.ts';
import { testDatabase } from '../../support/database.ts';
import { errorOf } from '../../support/error-of.ts';
import { createSession } from '../../support/factories.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { toldDuring } from '../../support/told.ts';
import { insertCall, ledgerOf, newSession, refuseDelivery } from './analysis.ts';
import { analysisWith, newEnvironment, runStep } from './steps.ts';
import { ANALYSIS, answerJson, answerWell, useFakeProvider } from '../providers/fake-provider.ts';
import { PROVIDERS } from '../providers/llm-providers.ts';

const GOOD = answerWell('openai', { text: JSON.stringify(ANALYSIS) });
const CUT = answerWell('openai', { text: '{', finish: 'truncated' });
const HOOK = { webhook_url: 'https://example.com/hook' };
const MINUTE_MS = 60_000;
const newBulkheads = () => createProviderBulkheads(100);

describe('The analysis of a session', () => {
  const fake = useFakeProvider('openai');

  interface Run {
    retryWindowMs?: number;
    env?: MockActivityEnvironment;
    bulkheads?: ProviderBulkheads;
  }

  const run = (session: Pick<SessionModel, 'id'>, { env, ...deps }: Run = {}) =>
    runStep({ id: session.id }, analysisWith({ llm: fake.providers, ...deps }), env);

  async function failure(session: Pick<SessionModel, 'id'>, options?: Run): Promise<ApplicationFailure> {
    const error = await errorOf(run(session, options));
    if (!(error instanceof ApplicationFailure)) throw new Error('not an ApplicationFailure', { cause: error });
    return error;
  }

  const rowOf = ({ id }: Pick<SessionModel, 'id'>) => SessionModel.query().findById(id).throwIfNotFound();
  const deliveriesOf = ({ id }: Pick<SessionModel, 'id'>) => DeliveryModel.query().where({ session_id: id });

  describe('that succeeds', () => {
    it('§2.4 is stored with the session before it is reported', async () => {
      const session = await newSession('openai');
      fake.behave(GOOD);
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

    for (const status of ['transcribing', 'queued'] as const) {
      it(`of a recording without speech that is ${status} makes no model call`, async () => {
        const field = { name: 'solved', type: 'boolean', description: 'Was it solved?', evidence: true } as const;
        const session = await newSession('openai', { ...HOOK, fields: [field] }, []);
        await SessionModel.query().findById(session.id).patch({ status });
        fake.behave(GOOD);
        const { status: ended, delivery_id } = await run(session);
        expect(ended).to.equal('completed');
        expect(delivery_id).to.be.a('string');
        expect(await rowOf(session)).to.deep.include({
          status: 'completed',
          summary_text: 'No speech in the recording.',
          raw_response: {
            summary_text: 'No speech in the recording.',
            no_speech: true,
            fields: { solved: null },
            evidence: {},
          },
          temperature_applied: null,
        });
        expect(fake.requests).to.deep.equal([]);
        expect(await ledgerOf(session)).to.deep.equal([]);
      });
    }

    it('is charged and counted once; a second execution returns the stored result', async () => {
      const session = await newSession('openai', HOOK);
      fake.behave(GOOD);
      const told = await toldDuring(sessionEnded, async () => {
        const { status, delivery_id } = await run(session);
        expect(await run(session)).to.deep.equal({ status, delivery_id });
      });
      expect(told).to.deep.equal([{ status: 'completed' }]);
      expect(fake.requests).to.have.length(1);
      expect(await ledgerOf(session)).to.have.length(1);
      expect(await deliveriesOf(session)).to.have.length(1);
    });

    it('§6.2 creates a delivery with exactly the fields of the event, and the sum of all calls as total_cost', async () => {
      const session = await newSession('openai', HOOK);
      fake.behave(CUT, GOOD);
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

    it('adds the metadata of the submission to the payload, if there is any', async () => {
      const metadata = { call_id: 'c-1042' };
      const session = await newSession('openai', HOOK);
      await session.$query().patch({ metadata });
      fake.behave(GOOD);
      await run(session);
      const [delivery] = await deliveriesOf(session);
      expect(JSON.parse(delivery?.payload ?? '')).to.deep.include({ session_id: session.id, metadata });
    });

    it('stores result and delivery in one transaction', async () => {
      const session = await newSession('openai', HOOK);
      fake.behave(GOOD);
      const error = await refuseDelivery(session, () => errorOf(run(session)));
      expect(error).to.be.instanceOf(Error);
      expect(await rowOf(session)).to.include({ status: 'analyzing', summary_text: null });
      expect(await deliveriesOf(session)).to.deep.equal([]);
      expect(await run(session)).to.include({ status: 'completed' });
    });

    it('does not overwrite an earlier end', async () => {
      const session = await newSession('openai', HOOK);
      fake.behave((response, request) => {
        void finishSession(session.id, { status: 'canceled' }).then(() => GOOD(response, request));
      });
      const told = await toldDuring(sessionEnded, async () =>
        expect(await run(session)).to.deep.equal({ status: 'canceled', delivery_id: null }),
      );
      expect(told).to.deep.equal([]);
      expect(await rowOf(session)).to.include({ status: 'canceled', summary_text: null });
      expect(await deliveriesOf(session)).to.deep.equal([]);
    });

    it("survives an outage of the database after the provider's response", async () => {
      const session = await newSession('openai', HOOK);
      const { db: original, url: direct } = testDatabase();
      const url = new URL(direct);
      const proxy = await startTcpProxy({ port: Number(url.port) });
      url.host = `127.0.0.1:${proxy.port}`;
      const db = connectDatabase({ url: url.href, poolMax: 4 }); // the models use it until the end of the test
      try {
        const { pool } = db.client as { pool: { on(event: 'createFail', listener: () => void): void } };
        const failedConnection = new Promise<void>((resolve) => pool.on('createFail', resolve));
        fake.behave((response, request) => void proxy.refuse().then(() => GOOD(response, request)));
        const running = run(session);
        await failedConnection;
        await proxy.pass();
        expect(await running).to.include({ status: 'completed' });
      } finally {
        Model.knex(original);
        await db.destroy();
        await proxy.stop();
      }
      expect(fake.requests).to.have.length(1);
      expect((await ledgerOf(session)).map((call) => call.status)).to.deep.equal(['succeeded']);
      expect(await deliveriesOf(session)).to.have.length(1);
    });
  });

  it('that does not start for a deleted or ended session makes no call', async () => {
    fake.behave(GOOD);
    expect(await run({ id: 'sess_01h455vb4pex5vsknk084sn02q' })).to.deep.equal({ status: 'gone', delivery_id: null });
    const assistant = await assistantOf(await newSession('openai'));
    for (const status of ['canceled', 'failed'] as const) {
      expect(await run(await createSession(assistant, { status }))).to.deep.equal({ status, delivery_id: null });
    }
    expect(fake.requests).to.have.length(0);
  });

  describe('that fails', () => {
    const faults: [number, string, boolean][] = [
      [400, 'bad_input', true],
      [401, 'auth', true],
      [402, 'quota_exceeded', true],
      [404, 'bad_input', true],
      [410, 'unknown_model', true],
      [413, 'too_large', true],
      [429, 'rate_limited', false],
      [503, 'unavailable', false],
      [504, 'timeout', false],
    ];
    for (const [status, type, isFinal] of faults) {
      it(`with HTTP ${status} is ${type}, and ${isFinal ? 'permanent' : 'retried'}`, async () => {
        const session = await newSession('openai');
        fake.behave(answerJson(status, PROVIDERS.openai.error(status)));
        const error = await failure(session);
        expect(error).to.include({ type, nonRetryable: isFinal });
        expect(error.details?.[0]).to.deep.include({
          code: type,
          stage: 'analysis',
          provider: 'openai',
          retryable: !isFinal || type === 'quota_exceeded',
        });
        expect(error.nextRetryDelay === undefined).to.equal(isFinal);
        expect(fake.requests).to.have.length(1);
        const [call] = await ledgerOf(session);
        expect(call).to.include({ status: 'failed', cost_usd: 0 });
        expect(call?.error).to.include({ fault: type, http_status: status });
        expect((await rowOf(session)).status).to.equal('analyzing');
      });
    }

    it('quotes nothing of the conversation, the instructions or the provider', async () => {
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
        fake.behave(body);
        const { message, details, cause, stack, type } = await failure(session);
        expect(JSON.stringify([message, details, cause?.message, cause?.stack, stack, type])).not.to.contain(words);
      }
    });

    it("is retried after the provider's Retry-After, but not after the end of the retry window", async () => {
      fake.behave(answerJson(429, PROVIDERS.openai.error(429), { 'Retry-After': '30' }));
      expect((await failure(await newSession('openai'))).nextRetryDelay).to.equal(30_000);
      fake.behave(answerJson(429, PROVIDERS.openai.error(429), { 'Retry-After': '3600' }));
      expect((await failure(await newSession('openai'))).nonRetryable).to.equal(true);
    });

    it('because of a quota is retried at the end that the reply names, if that is within the retry window', async () => {
      const quota = (end?: number) =>
        answerJson(429, { error: { type: 'usage_limit_reached', resets_in_seconds: end } });
      fake.behave(quota(450));
      const session = await newSession('openai');
      const ended = await failure(session);
      expect(ended).to.include({ type: 'quota_exceeded', nonRetryable: false, nextRetryDelay: 450_000 });
      expect((await rowOf(session)).waiting).to.include({ reason: 'quota_exceeded' });
      for (const end of [18_000, undefined]) {
        fake.behave(quota(end));
        expect((await failure(await newSession('openai'))).nonRetryable, String(end)).to.equal(true);
      }
    });

    it('is logged with what the provider called the error and the ID of the request, and nothing that it said', async () => {
      const lines: LogEntry[] = [];
      const logger = new DefaultLogger('WARN', (line) => lines.push(line));
      const session = await newSession('openai', {}, [{ role: 'client', text: 'secret words' }]);
      const error = { message: 'secret words', code: 'unsupported', type: 'invalid_request_error', param: 'stream' };
      fake.behave(answerJson(400, { error }, { 'x-request-id': 'req-7' }));
      await failure(session, { env: newEnvironment(logger) });
      const { message: _said, ...names } = error;
      const logged = { ...names, session_id: session.id, step: 'analysis', provider: 'openai', fault: 'bad_input' };
      const line = lines.find((each) => each.message === 'a call to a provider failed');
      expect(line?.meta).to.deep.include({ ...logged, http_status: 400, provider_request_id: 'req-7' });
      expect(inspect(lines, { depth: 9 })).not.to.contain('secret');
    });

    it('with a model that the provider ends is logged, once', async () => {
      const lines: LogEntry[] = [];
      const logger = new DefaultLogger('WARN', (line) => lines.push(line));
      fake.behave(answerJson(400, { error: { message: 'no' } }));
      for (const _ of [1, 2]) {
        const session = await newSession('openai', { llm_model: 'o3-2025-04-16' });
        await failure(session, { env: newEnvironment(logger) });
      }
      const logged = lines.filter(({ message }) => message === 'the provider ends this model');
      expect(logged.map(({ meta }) => String(meta?.['model']))).to.deep.equal(['o3-2025-04-16']);
      expect(logged[0]?.meta).to.deep.include({ provider: 'openai', retires_on: '2026-12-11' });
    });

    it('is retried after one second, later after half of its waiting time, at most 5 minutes', async () => {
      fake.behave(answerJson(503, PROVIDERS.openai.error(503)));
      for (const [waitedMs, expectedMs] of [
        [0, 1_000],
        [4_000, 4_000],
        [MINUTE_MS, 30_000],
        [60 * MINUTE_MS, 5 * MINUTE_MS],
      ] as const) {
        const { nextRetryDelay } = await failure(await waitingSession(waitedMs), {
          retryWindowMs: 24 * 60 * MINUTE_MS,
        });
        expect(nextRetryDelay).to.be.within(0.75 * expectedMs, 1.3 * expectedMs);
      }
    });

    it('shows on the session why it waits, since when, and when the next attempt is', async () => {
      const session = await newSession('openai');
      fake.behave(answerJson(503, PROVIDERS.openai.error(503)));
      const { nextRetryDelay } = await failure(session);
      const { waiting } = await rowOf(session);
      expect(waiting).to.include({ provider: 'openai', reason: 'unavailable' });
      expect(Date.parse(waiting?.next_try_at ?? '') - Date.parse(waiting?.since ?? '')).to.equal(nextRetryDelay);
    });
  });

  /** Creates a session whose step first failed some time ago. */
  async function waitingSession(waitedMs: number, fields: Partial<SessionModel> = {}): Promise<SessionModel> {
    const session = await createSession(await newSession('openai').then(assistantOf), fields);
    if (waitedMs === 0) return session;
    const since = new Date(Date.now() - waitedMs).toISOString();
    const waiting = { provider: 'openai', reason: 'unavailable', since, next_try_at: since } as const;
    await SessionModel.query().findById(session.id).patch({ waiting });
    return session;
  }

  describe('that keeps failing', () => {
    beforeEach(() => fake.behave(answerJson(503, PROVIDERS.openai.error(503))));

    it('is retried until the retry window after the first failure has passed', async () => {
      const queued_at = new Date(Date.now() - 24 * 60 * MINUTE_MS);
      expect((await failure(await waitingSession(0, { queued_at }))).nonRetryable).to.equal(false);
      expect((await failure(await waitingSession(6 * MINUTE_MS))).nonRetryable).to.equal(false);
      const error = await failure(await waitingSession(10 * MINUTE_MS));
      expect(error.nonRetryable).to.equal(true);
      expect(error.details?.[0]).to.include({ code: 'unavailable', retryable: true });
    });

    it('gets a new window after a retry of the session', async () => {
      const session = await waitingSession(30 * MINUTE_MS);
      await finishSession(session.id, {
        status: 'failed',
        error: { code: 'unavailable', stage: 'analysis', provider: 'openai', message: 'x', retryable: true },
      });
      await requeueSession(session.id);
      expect((await failure(session)).nonRetryable).to.equal(false);
    });

    it('makes no call and no ledger row while the circuit of its provider is open', async () => {
      const bulkheads = newBulkheads();
      for (let i = 0; i < 5; i++) await failure(await newSession('openai'), { bulkheads });
      expect(bulkheads.findOpenCircuits()).to.have.length(1);
      expect(bulkheads.findOpenCircuits()[0]).to.include({ provider: 'openai', reason: 'unavailable' });
      const session = await newSession('openai');
      const error = await failure(session, { bulkheads });
      expect(error).to.include({ type: 'unavailable', nonRetryable: false });
      expect(error.nextRetryDelay).to.be.at.least(7_500);
      expect(await ledgerOf(session)).to.deep.equal([]);
      expect(fake.requests).to.have.length(5);
    });

    it('ends after 25 calls, which only a bug can make', async () => {
      const session = await newSession('openai');
      for (let attempt = 1; attempt <= 25; attempt++) await insertCall(session, { attempt, status: 'succeeded' });
      expect(await failure(session)).to.include({ nonRetryable: true, type: 'internal' });
      expect(fake.requests).to.have.length(0);
    });
  });

  it('sends heartbeats during a call', async () => {
    const session = await newSession('openai');
    const env = newEnvironment();
    const beat = once(env, 'heartbeat');
    fake.behave((response, request) => void beat.then(() => GOOD(response, request)));
    expect(await run(session, { env })).to.include({ status: 'completed' });
  });

  it('of a large conversation sends the complete conversation', async () => {
    const text = 'My parcel is late. '.repeat(20_000);
    const session = await newSession('openai', {}, [{ role: 'client', text }]);
    fake.behave(GOOD);
    // The response reports too few tokens for a prompt of this length.
    await run(session).catch(() => undefined);
    expect(fake.requests[0]?.body.toString()).to.contain(text.trim());
  });
});

function assistantOf({ assistant_id }: SessionModel): Promise<AssistantModel> {
  return AssistantModel.query().findById(assistant_id).throwIfNotFound().execute();
}
