import { expect } from 'chai';
import { performance } from 'node:perf_hooks';
import type { Knex } from 'knex';
import { Model } from 'objection';
import { startApi } from '../../api/start.ts';
import type { RunningApi } from '../../api/start.ts';
import { listAssistants } from '../../contract/assistants.ts';
import { cancelBatch, createBatch as makeBatch } from '../../contract/batches.ts';
import { redeliver, retryDeliveryNow, stopDelivery, testWebhook } from '../../contract/deliveries.ts';
import { redeliverMany } from '../../contract/redeliveries.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { cancelSession, deleteSession, reanalyzeSession, retrySession } from '../../contract/session-operations.ts';
import { getSession, listSessions } from '../../contract/sessions.ts';
import { connectDatabase } from '../../db/connect.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import type { Temporal } from '../../runtime/temporal/connect.ts';
import { send, testConfig } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createBatch, createDelivery, createOwner, createSession } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import { testTemporal } from '../support/temporal.ts';

const WITHIN_MS = 5_000;
const FAULT = { code: 'timeout', stage: 'analysis', provider: 'openai', message: 'm', retryable: true } as const;
const CONVERSATION = [{ role: 'client', text: 'Hello.' }];

describe('While a part of the service is away', () => {
  let service: TestService;
  let api: RunningApi;
  let postgres: TcpProxy;
  let temporalWay: TcpProxy;
  let temporal: Temporal;
  let db: Knex;
  let token: string;
  let assistant: AssistantModel;

  before(async function () {
    this.timeout(0);
    service = await startTestService();
    const databaseUrl = new URL(testDatabase().url);
    postgres = await startTcpProxy({ port: Number(databaseUrl.port) });
    databaseUrl.host = `127.0.0.1:${postgres.port}`;
    temporalWay = await startTcpProxy({ port: Number((await testTemporal()).address.split(':')[1]) });
    const address = `127.0.0.1:${temporalWay.port}`;
    const config = testConfig({ ...service.env, DATABASE_URL: databaseUrl.href, TEMPORAL_ADDRESS: address });
    temporal = await connectTemporal(config.temporal, silentLog);
    db = connectDatabase(config.database); // binds the models: the worker's queries go this way too
    api = await startApi({ config, db, temporal, log: silentLog });
  });
  after(async function () {
    this.timeout(60_000);
    await api.stop();
    await service.stop();
    await temporal.connection.close();
    await db.destroy();
    Model.knex(testDatabase().db);
    await Promise.all([postgres.stop(), temporalWay.stop()]);
  });
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
    await eventually(readiness, ({ status }) => status === 200);
  });
  afterEach(() => Promise.all([postgres.pass(), temporalWay.pass(), service.vendors.pass()]));

  async function readiness(): Promise<{ status: number; problems?: string[] }> {
    const response = await fetch(`${api.url}/readyz`);
    const { problems } = (await response.json()) as { problems?: string[] };
    return { status: response.status, ...(problems && { problems }) };
  }

  const submit = (headers: Record<string, string> = {}) =>
    send(api, submitTextRequest, {
      token,
      headers,
      body: { assistant_id: assistant.id, conversation: CONVERSATION },
    });

  const stored = async () => SessionModel.query(testDatabase().db).where({ user_id: assistant.user_id });

  async function expectUnavailable(call: () => ReturnType<typeof submit>): Promise<void> {
    const started = performance.now();
    const answer = await call();
    expect(answer.problem).to.include({ status: 503, code: 'unavailable' });
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
    expect(performance.now() - started).to.be.lessThan(WITHIN_MS);
  }

  const untilEnded = (id: string) =>
    eventually(
      async () => (await send(api, getSession, { token, params: { id } })).body,
      ({ completed_at }) => completed_at !== null,
    );

  for (const away of ['refuse', 'hang'] as const) {
    describe(`PostgreSQL (${away})`, () => {
      it('a request is answered 503 with Retry-After within 5 s, and the next one is served', async () => {
        await postgres[away]();
        await expectUnavailable(submit);
        await postgres.pass();
        const answer = await eventually(submit, ({ status }) => status !== 503);
        expect(answer.status).to.equal(200);
      });

      it('/readyz names it, /healthz lives, and both recover by themselves', async () => {
        await postgres[away]();
        const { problems } = await eventually(readiness, ({ status }) => status === 503);
        expect(problems).to.deep.equal(['the database does not answer']);
        expect((await fetch(`${api.url}/healthz`)).status).to.equal(200);
        await postgres.pass();
        await eventually(readiness, ({ status }) => status === 200);
      });

      it('what was accepted before is not lost: it ends when the database is back', async () => {
        service.vendors.hang();
        const { status, body } = await submit({ Prefer: 'respond-async' });
        expect(status).to.equal(202);
        await eventually(stored, ([row]) => row?.status === 'analyzing');
        await postgres[away]();
        await service.vendors.pass();
        await eventually(readiness, ({ status: ready }) => ready === 503);
        await postgres.pass();
        await eventually(readiness, ({ status: ready }) => ready === 200);
        expect(await untilEnded(body.session_id)).to.include({ status: 'completed' });
        expect(await stored()).to.have.length(1);
      }).timeout(60_000);

      it('who waits for a result is told where it will be, and waits for no answer in vain', async () => {
        service.vendors.hang();
        const waiting = submit({ Prefer: 'wait=2' });
        const [row] = await eventually(stored, ([found]) => found?.status === 'analyzing');
        await postgres[away]();
        const answer = await waiting;
        expect(answer.problem).to.include({ status: 503, code: 'unavailable', session_id: row?.id });
        expect(answer.headers.get('location')).to.equal(`/api/v1/sessions/${row?.id}`);
        expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
        await Promise.all([postgres.pass(), service.vendors.pass()]);
        await eventually(readiness, ({ status }) => status === 200);
        expect(await untilEnded(row?.id ?? '')).to.include({ status: 'completed' });
      }).timeout(60_000);
    });

    describe(`Temporal (${away})`, () => {
      it('a request is answered 503 with Retry-After within 5 s, nothing is left of it, and the next one is served', async () => {
        await temporalWay[away]();
        await expectUnavailable(submit);
        expect(await stored()).to.deep.equal([]);
        await temporalWay.pass();
        const answer = await eventually(submit, ({ status }) => status !== 503);
        expect(answer.status).to.equal(200);
      }).timeout(60_000);

      it('/readyz names it and recovers by itself', async () => {
        await temporalWay[away]();
        const started = performance.now();
        const { problems } = await eventually(readiness, ({ status }) => status === 503);
        expect(performance.now() - started).to.be.lessThan(WITHIN_MS);
        expect(problems).to.deep.equal(['Temporal does not answer']);
        await temporalWay.pass();
        await eventually(readiness, ({ status }) => status === 200);
      }).timeout(60_000);

      it('whatever asks it of a session or a delivery is answered within 5 s: 503, or done later', async () => {
        const [running, deleted] = [await createSession(assistant), await createSession(assistant)];
        const ended = await createSession(assistant, { status: 'failed', error: FAULT, completed_at: new Date() });
        const [waiting, stopped, sent] = await Promise.all([1, 2, 3].map(() => createDelivery(ended)));
        const attempt = { delivery_id: waiting!.id, attempt: 1, url: 'http://127.0.0.1/', request_headers: {} };
        await DeliveryAttemptModel.open(attempt);
        await DeliveryAttemptModel.close(waiting!.id, 1, { failure: 'timeout', next_attempt_at: new Date() });
        await DeliveryModel.patchPending(sent!.id, { status: 'failed', next_attempt_at: null });
        await temporalWay[away]();
        const started = performance.now();
        const calls = {
          retryNow: send(api, retryDeliveryNow, { token, params: { id: waiting!.id } }),
          cancel: send(api, cancelSession, { token, params: { id: running.id } }),
          retry: send(api, retrySession, { token, params: { id: ended.id }, headers: { Prefer: 'respond-async' } }),
          stop: send(api, stopDelivery, { token, params: { id: stopped!.id } }),
          redeliver: send(api, redeliver, { token, params: { id: sent!.id } }),
          redeliverMany: send(api, redeliverMany, { token, body: {} }),
          remove: send(api, deleteSession, { token, params: { id: deleted.id } }),
        };
        const statuses: Record<string, number> = {};
        for (const [name, call] of Object.entries(calls)) statuses[name] = (await call).status;
        expect(performance.now() - started).to.be.lessThan(WITHIN_MS);
        expect(statuses).to.deep.equal({
          ...{ retryNow: 503, cancel: 503, retry: 202, stop: 200, redeliver: 201, redeliverMany: 202, remove: 204 },
        });
      });

      it('so is whatever makes or ends many, or a session of another', async () => {
        const { user_id } = assistant;
        const webhook = await createAssistant(user_id, { webhook_url: 'http://127.0.0.1/' });
        const ended = await createSession(assistant, { status: 'completed', completed_at: new Date() });
        const batch = await createBatch(user_id, { action: 'reanalyze' });
        for (let i = 0; i < 3; i++) await createSession(assistant, { batch_id: batch.id });
        await temporalWay[away]();
        const started = performance.now();
        const filter = { assistant_id: assistant.id };
        const headers = { Prefer: 'respond-async' };
        const calls = {
          reanalyze: send(api, reanalyzeSession, { token, params: { id: ended.id }, body: {}, headers }),
          makeBatch: send(api, makeBatch, { token, body: { action: 'retry', filter } }),
          cancelBatch: send(api, cancelBatch, { token, params: { id: batch.id } }),
          testWebhook: send(api, testWebhook, { token, params: { id: webhook.id } }),
        };
        const statuses: Record<string, number> = {};
        for (const [name, call] of Object.entries(calls)) statuses[name] = (await call).status;
        expect(performance.now() - started).to.be.lessThan(WITHIN_MS);
        expect(statuses).to.deep.equal({ reanalyze: 503, makeBatch: 202, cancelBatch: 200, testWebhook: 201 });
        const left = await SessionModel.query().where({ source_session_id: ended.id }).resultSize();
        expect(left).to.equal(0);
      });

      it('reads work', async () => {
        const { body } = await submit();
        await temporalWay[away]();
        expect((await send(api, getSession, { token, params: { id: body.session_id } })).body).to.deep.equal(body);
        expect((await send(api, listSessions, { token })).body.data).to.have.length(1);
        expect((await send(api, listAssistants, { token })).body.data).to.have.length(1);
      });

      it('who waits for a result gets it all the same', async () => {
        service.vendors.hang();
        const waiting = submit();
        await eventually(stored, ([row]) => row?.status === 'analyzing');
        await temporalWay[away]();
        await service.vendors.pass();
        expect((await waiting).body).to.include({ status: 'completed' });
      });
    });
  }
});
