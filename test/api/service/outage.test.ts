import { performance } from 'node:perf_hooks';
import type { Knex } from 'knex';
import { Model } from 'objection';
import { startApi, type RunningApi } from '../../../api/start.ts';
import { connectDatabase } from '../../../db/connect.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { connectTemporal, type Temporal } from '../../../runtime/temporal/connect.ts';
import { send, testConfig } from '../../support/api.ts';
import { testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createBatch, createDelivery, createOwner, createSession, openAttempt, says } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { testTemporal } from '../../support/temporal.ts';

/** Twice the limit of a response, for busy machines. */
const WITHIN_MS = 10_000;
const FAULT = { code: 'timeout', stage: 'analysis', provider: 'openai', message: 'm', retryable: true } as const;

describe('An outage of PostgreSQL or Temporal', () => {
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
    // Binds the models, so the worker's queries use this proxy too.
    db = connectDatabase(config.database);
    api = await startApi({ config, db, temporal, log: silentLog });
  });
  after(async () => {
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
  afterEach(() => Promise.all([postgres.pass(), temporalWay.pass(), service.providers.pass()]));

  async function readiness(): Promise<{ status: number; problems?: string[] }> {
    const response = await fetch(`${api.url}/readyz`);
    const { problems } = (await response.json()) as { problems?: string[] };
    return { status: response.status, ...(problems && { problems }) };
  }

  const submit = (headers: Record<string, string> = {}) =>
    send(api, 'submitTextRequest', {
      token,
      headers,
      body: { assistant_id: assistant.id, conversation: says('Hello.') },
    });

  const stored = async () => SessionModel.query(testDatabase().db).where({ workspace_id: assistant.workspace_id });

  async function expectUnavailable(call: () => ReturnType<typeof submit>): Promise<void> {
    const started = performance.now();
    const answer = await call();
    expect(answer.problem).to.include({ status: 503, code: 'unavailable' });
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
    expect(performance.now() - started).to.be.lessThan(WITHIN_MS);
  }

  const untilEnded = (id: string) =>
    eventually(
      async () => (await send(api, 'getSession', { token, params: { id } })).body,
      ({ completed_at }) => completed_at !== null,
    );

  /** Sends all requests at once and returns their status codes. Throws if a response takes too long. */
  async function statusesOf(calls: Record<string, () => Promise<{ status: number }>>): Promise<Record<string, number>> {
    const started = performance.now();
    const answers = Object.entries(calls).map(async ([name, call]) => [name, (await call()).status] as const);
    const statuses = Object.fromEntries(await Promise.all(answers));
    expect(performance.now() - started).to.be.lessThan(WITHIN_MS);
    return statuses;
  }

  for (const away of ['refuse', 'hang'] as const) {
    it(`PostgreSQL (${away}): requests get 503 within 5 s, /readyz names it, /healthz works, and everything recovers`, async () => {
      await postgres[away]();
      await expectUnavailable(submit);
      const { problems } = await eventually(readiness, ({ status }) => status === 503);
      expect(problems).to.deep.equal(['the database does not respond']);
      expect((await fetch(`${api.url}/healthz`)).status).to.equal(200);
      await postgres.pass();
      await eventually(readiness, ({ status }) => status === 200);
      expect((await submit()).status).to.equal(200);
    });

    it(`PostgreSQL (${away}): accepted sessions complete, and a client that waits gets 503 with the URL of its session`, async () => {
      service.providers.hang();
      const { body: accepted } = await submit({ Prefer: 'respond-async' });
      const waiting = submit({ Prefer: 'wait=2' });
      const rows = await eventually(
        stored,
        (found) => found.length === 2 && found.every(({ status }) => status === 'analyzing'),
      );
      await postgres[away]();
      const { problem, headers } = await waiting;
      const id = rows.find((row) => row.id !== accepted.session_id)?.id ?? '';
      expect(problem).to.include({ status: 503, code: 'unavailable', session_id: id });
      expect(headers.get('location')).to.equal(`/api/v1/sessions/${id}`);
      expect(headers.get('retry-after')).to.match(/^\d+$/);
      await service.providers.pass();
      await eventually(readiness, ({ status }) => status === 503);
      await postgres.pass();
      await eventually(readiness, ({ status }) => status === 200);
      for (const each of [id, accepted.session_id]) expect(await untilEnded(each)).to.include({ status: 'completed' });
      expect(await stored()).to.have.length(2);
    });

    it(`Temporal (${away}): requests get 503 within 5 s and store nothing, reads work, and everything recovers`, async () => {
      const { body } = await submit();
      await temporalWay[away]();
      await expectUnavailable(submit);
      expect((await stored()).map(({ id }) => id)).to.deep.equal([body.session_id]);
      const { problems } = await eventually(readiness, ({ status }) => status === 503);
      expect(problems).to.deep.equal(['Temporal does not respond']);
      expect((await send(api, 'getSession', { token, params: { id: body.session_id } })).body).to.deep.equal(body);
      expect((await send(api, 'listSessions', { token })).body.data).to.have.length(1);
      await temporalWay.pass();
      await eventually(readiness, ({ status }) => status === 200);
      expect((await submit()).status).to.equal(200);
    });

    it(`Temporal (${away}): a client that waits gets its result`, async () => {
      service.providers.hang();
      const waiting = submit();
      await eventually(stored, ([row]) => row?.status === 'analyzing');
      await temporalWay[away]();
      await service.providers.pass();
      expect((await waiting).body).to.include({ status: 'completed' });
    });

    it(`Temporal (${away}): every command gets a response within 5 s: 503, or accepted for later`, async () => {
      const running = await createSession(assistant, { status: 'analyzing' });
      const deleted = await createSession(assistant);
      const ended = await createSession(assistant, { status: 'failed', error: FAULT });
      const [waiting, stopped] = [await createDelivery(ended), await createDelivery(ended)];
      await openAttempt(waiting.id);
      await DeliveryAttemptModel.close(waiting.id, 1, { failure: 'timeout', next_attempt_at: new Date() });
      // Another workspace, because one may only send a few requests at once.
      const other = await createOwner({ webhook_url: 'http://127.0.0.1/' });
      const completed = await createSession(other.assistant, { status: 'completed' });
      const sent = await createDelivery(completed);
      await DeliveryModel.patchPending(sent.id, { status: 'failed', next_attempt_at: null });
      const batch = await createBatch(other.workspaceId, { action: 'reanalyze' });
      await createSession(other.assistant, { batch_id: batch.id });
      await temporalWay[away]();
      const headers = { Prefer: 'respond-async' };
      const by = (id: string) => ({ token, params: { id } });
      const byOther = (id: string) => ({ token: other.token, params: { id } });
      const filter = { assistant_id: other.assistant.id };
      const statuses = await Promise.all([
        statusesOf({
          retryNow: () => send(api, 'retryDeliveryNow', by(waiting.id)),
          cancel: () => send(api, 'cancelSession', by(running.id)),
          retry: () => send(api, 'retrySession', { ...by(ended.id), headers }),
          stop: () => send(api, 'stopDelivery', by(stopped.id)),
        }),
        statusesOf({
          redeliver: () => send(api, 'redeliver', byOther(sent.id)),
          reanalyze: () => send(api, 'reanalyzeSession', { ...byOther(completed.id), body: {}, headers }),
          cancelBatch: () => send(api, 'cancelBatch', byOther(batch.id)),
        }),
      ]);
      const others = await Promise.all([
        statusesOf({ remove: () => send(api, 'deleteSession', by(deleted.id)) }),
        statusesOf({
          makeBatch: () => send(api, 'createBatch', { token: other.token, body: { action: 'retry', filter } }),
          testWebhook: () => send(api, 'testWebhook', byOther(other.assistant.id)),
        }),
      ]);
      expect(Object.assign({}, ...statuses, ...others)).to.deep.equal({
        retryNow: 503,
        cancel: 503,
        retry: 202,
        stop: 200,
        redeliver: 201,
        remove: 204,
        reanalyze: 503,
        makeBatch: 202,
        cancelBatch: 200,
        testWebhook: 201,
      });
      expect(await SessionModel.query().where({ source_session_id: completed.id }).resultSize()).to.equal(0);
    });
  }
});
