import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import { createEventStreams } from '../../api/events/event-streams.ts';
import { changePassword } from '../../contract/account.ts';
import { revokeKey } from '../../contract/keys.ts';
import { logOut, openConsoleSession } from '../../contract/logins.ts';
import { listenToDatabase } from '../../db/listen.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { eraseSession } from '../../db/queries/erase-session.ts';
import { claimSlot } from '../../db/queries/session-slots.ts';
import { send, startTestApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openEventStream } from '../support/event-stream.ts';
import type { TestEventStream } from '../support/event-stream.ts';
import { createAssistant, createDelivery, createSession, createUser, PASSWORD } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const COMPLETED = { status: 'completed', summary_text: 's', raw_response: {}, temperature_applied: true } as const;

describe('GET /v1/events', () => {
  let api: RunningApi;
  let user: Awaited<ReturnType<typeof createUser>>;
  let assistant: AssistantModel;
  const opened: TestEventStream[] = [];
  before(async function () {
    this.timeout(0);
    api = await startTestApi({ env: { EVENT_STREAMS_PER_USER: '3' } });
  });
  after(() => api.stop());
  beforeEach(async () => {
    user = await createUser();
    assistant = await createAssistant(user.user.id);
  });
  afterEach(() => opened.splice(0).forEach((stream) => stream.close()));

  async function open({ headers = {}, token = user.token, at = api } = {}): Promise<TestEventStream> {
    const stream = await openEventStream(at, { Authorization: `Bearer ${token}`, ...headers });
    opened.push(stream);
    return stream;
  }

  const until = (stream: TestEventStream, isMet: (last: TestEventStream['events'][number] | undefined) => boolean) =>
    eventually(
      () => stream.events,
      (events) => isMet(events.at(-1)),
    );
  const states = ({ events }: TestEventStream) => events.map(({ data }) => ('status' in data ? data.status : 'none'));
  const finish = (id: string) => SessionModel.finish(id, COMPLETED);

  it('is a stream that no proxy keeps back', async () => {
    const stream = await open();
    expect(stream.status).to.equal(200);
    expect(stream.headers.get('content-type')).to.equal('text/event-stream');
    expect(stream.headers.get('x-accel-buffering')).to.equal('no');
    expect(stream.headers.get('cache-control')).to.equal('no-store');
  });

  it('tells a session from the queue to its end, and its deletion, with what it cost', async () => {
    const stream = await open();
    const { id } = await createSession(assistant);
    await until(stream, (last) => last?.event === 'session');
    const call = { session_id: id, user_id: user.user.id, assistant_id: assistant.id, step: 'analysis' } as const;
    await VendorCallModel.query().insert({
      ...call,
      attempt: 1,
      provider: 'openai',
      status: 'succeeded',
      cost_usd: 0.25,
    });
    await claimSlot(id, 'analyzing', 50);
    await until(stream, () => states(stream).includes('analyzing'));
    await finish(id);
    await until(stream, () => states(stream).includes('completed'));
    const completed_at = (await SessionModel.query().findById(id))?.completed_at?.toISOString();
    expect(stream.events.at(-1)).to.deep.equal({
      event: 'session',
      data: { session_id: id, status: 'completed', assistant_id: assistant.id, total_cost: 0.25, completed_at },
    });
    await eraseSession(id);
    await until(stream, () => states(stream).includes('deleted'));
    expect(states(stream)).to.deep.equal(['queued', 'analyzing', 'completed', 'deleted']);
  });

  it('tells a delivery with each attempt, and the redelivery that it belongs to', async () => {
    const delivery = await createDelivery(await createSession(assistant));
    const redelivery = await RedeliveryModel.create(user.user.id, { status: 'failed' });
    await DeliveryModel.query().findById(delivery.id).patch({ redelivery_id: redelivery.id });
    await redelivery.$query().patch({ started: 1 });
    const stream = await open();
    const attempt = { delivery_id: delivery.id, attempt: 1, url: 'https://example.com/', request_headers: {} };
    await DeliveryAttemptModel.open(attempt);
    await until(stream, (last) => last?.event === 'delivery');
    expect(stream.events.at(-1)?.data).to.deep.include({ delivery_id: delivery.id, status: 'pending', attempt: 1 });
    const failed = { delivery_id: delivery.id, attempt: 1, failure: 'http_status', status_code: 503 } as const;
    await DeliveryAttemptModel.end(failed, 'pending', 30_000);
    const { next_attempt_at } = await DeliveryModel.query().findById(delivery.id).throwIfNotFound();
    await until(stream, (last) => last?.event === 'redelivery');
    expect(stream.events.slice(-2)).to.deep.equal([
      {
        event: 'delivery',
        data: {
          ...{ delivery_id: delivery.id, session_id: delivery.session_id, status: 'pending', attempt: 1 },
          next_attempt_at: next_attempt_at?.toISOString(),
        },
      },
      { event: 'redelivery', data: { redelivery_id: redelivery.id, status: 'running', total: 0, started: 1 } },
    ]);
  });

  it('tells ids and states, and nothing that was said', async () => {
    const stream = await open();
    const { id } = await createSession(assistant);
    await SessionModel.finish(id, { ...COMPLETED, summary_text: 'a secret of the client' });
    await until(stream, () => states(stream).includes('completed'));
    expect(JSON.stringify(stream.events)).not.to.match(/secret|parcel|Good morning/);
  });

  it('tells each user their own, over every stream of theirs and in every process', async () => {
    const other = await createUser();
    const second = await startTestApi();
    const streams = [await open(), await open(), await open({ at: second })];
    const foreign = await open({ token: other.token });
    const { id } = await createSession(assistant);
    for (const stream of streams) await until(stream, (last) => last?.event === 'session');
    const own = await createSession(await createAssistant(other.user.id));
    await until(foreign, (last) => last?.event === 'session');
    expect(JSON.stringify(foreign.events)).to.contain(own.id).and.not.to.contain(id);
    await second.stop();
  });

  it('tells changes of one moment together, and very many as one refetch', async () => {
    const stream = await open();
    const { id } = await createSession(assistant);
    await SessionModel.transaction(async (trx) => {
      await SessionModel.query(trx).findById(id).patch({ status: 'analyzing' });
      await SessionModel.finish(id, COMPLETED, trx);
    });
    await until(stream, () => states(stream).includes('completed'));
    const told = stream.events.length;
    const columns = ['user_id', 'assistant_id', 'type', 'assistant', 'metadata', 'simulated'];
    const row = await SessionModel.query().select(columns).findById(id).throwIfNotFound();
    const copy = row.$toDatabaseJson();
    const rows = Array.from({ length: 101 }, (_, index) => ({ ...copy, id: `${id.slice(0, -3)}${100 + index}` }));
    await testDatabase().db('sessions').insert(rows);
    await until(stream, (last) => last?.event === 'refetch');
    expect(stream.events.slice(told)).to.deep.equal([{ event: 'refetch', data: {} }]);
  });

  it('tells a client that comes back that it may have missed something', async () => {
    const stream = await open({ headers: { 'Last-Event-ID': '7' } });
    await until(stream, (last) => last?.event === 'refetch');
    const fresh = await open();
    await createSession(assistant);
    await until(fresh, (last) => last?.event === 'session');
    expect(fresh.events.map(({ event }) => event)).to.deep.equal(['session']);
  });

  it('takes so many streams of one user as the setting says, and a new one when one is closed', async () => {
    const [first] = [await open(), await open(), await open()];
    const refused = await open();
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0);
    expect((await open({ token: (await createUser()).token })).status).to.equal(200);
    first.close();
    await eventually(
      async () => (await open()).status,
      (status) => status === 200,
    );
  });

  describe('ends', () => {
    const isOver = (stream: TestEventStream) => eventually(stream.isOver, (over) => over);

    it('at a drain, so that no stream holds a process', async () => {
      const draining = await startTestApi();
      const stream = await open({ at: draining });
      await draining.stop();
      await isOver(stream);
    });

    it('when the API token is revoked, and goes on for others', async () => {
      const [key] = await ApiKeyModel.query().where({ user_id: user.user.id });
      const [stream, bystander] = [await open(), await openByCookie()];
      await send(api, revokeKey, { token: user.token, params: { key_id: key?.id ?? '' } });
      await isOver(stream);
      expect(bystander.stream.isOver()).to.equal(false);
    });

    it('when the login ends, and when the password changes by another', async () => {
      const [one, two] = [await openByCookie(), await openByCookie()];
      await send(api, logOut, { headers: one.headers });
      await isOver(one.stream);
      expect(two.stream.isOver()).to.equal(false);
      const body = { current_password: PASSWORD, new_password: 'a new password' };
      await send(api, changePassword, { token: user.token, body });
      await isOver(two.stream);
    });

    async function openByCookie() {
      const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };
      const body = { email: user.user.email, password: PASSWORD };
      const answer = await send(api, openConsoleSession, { body, headers: sameOrigin });
      const headers = { ...sameOrigin, Cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
      const stream = await openEventStream(api, headers);
      opened.push(stream);
      return { stream, headers };
    }
  });

  describe('of a hub of its own', () => {
    it('beats, and looks whether the credentials still hold, also where nothing told it', async () => {
      const listener = await listenToDatabase({ databaseUrl: testDatabase().url, log: silentLog });
      const streams = await createEventStreams({ listener, log: silentLog, streamsPerUser: 1, heartbeatMs: 5 });
      let isValid = true;
      const stream = streams.open('user_1', { isResumed: false, isStillValid: async () => isValid });
      const chunks: string[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
      await eventually(
        () => chunks.filter((chunk) => chunk.startsWith(':')).length,
        (beats) => beats >= 3,
      );
      expect(stream.readableEnded).to.equal(false);
      isValid = false;
      await eventually(
        () => stream.readableEnded,
        (isEnded) => isEnded,
      );
      streams.close();
      await listener.close();
    });

    it('tells that something may have been missed when the connection that listens was lost', async () => {
      const url = new URL(testDatabase().url);
      const proxy = await startTcpProxy({ port: Number(url.port) });
      url.host = `127.0.0.1:${proxy.port}`;
      const listener = await listenToDatabase({ databaseUrl: url.href, log: silentLog });
      const streams = await createEventStreams({ listener, log: silentLog, streamsPerUser: 1 });
      const stream = streams.open(user.user.id, { isResumed: false, isStillValid: async () => true });
      const chunks: string[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
      proxy.cut();
      await eventually(
        () => chunks.join(''),
        (text) => text.includes('event: refetch'),
      );
      streams.close();
      await listener.close();
      await proxy.stop();
    });

    it('cuts off a client that does not read', async () => {
      const listener = await listenToDatabase({ databaseUrl: testDatabase().url, log: silentLog });
      const streams = await createEventStreams({ listener, log: silentLog, streamsPerUser: 2, heartbeatMs: 60_000 });
      const isStillValid = async () => true;
      const stream = streams.open(user.user.id, { isResumed: false, isStillValid });
      stream.push('x'.repeat(300 * 1024));
      await createSession(assistant);
      await eventually(
        () => stream.destroyed,
        (isDestroyed) => isDestroyed,
      );
      streams.close();
      await listener.close();
    });
  });
});
