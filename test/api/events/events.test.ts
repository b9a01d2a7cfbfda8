import type { Readable } from 'node:stream';
import { typeid } from 'typeid-js';
import { createEventStreams } from '../../../api/streams/event-streams.ts';
import { listenToDatabase, type Listener } from '../../../db/listen.ts';
import { ApiKeyModel } from '../../../db/models/api-key.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { eraseSession } from '../../../db/queries/erase-session.ts';
import { beginStep, finishSession } from '../../../db/queries/session-status.ts';
import { send, startTestApi } from '../../support/api.ts';
import { testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { openEventStream, type TestEventStream } from '../../support/event-stream.ts';
import {
  COMPLETED,
  createAssistant,
  createCall,
  createDelivery,
  createSession,
  createUser,
  openAttempt,
  PASSWORD,
} from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

describe('GET /v1/events', () => {
  const api = useTestApi({ adjust: ({ http }) => void (http.eventStreams = 3) });
  let user: Awaited<ReturnType<typeof createUser>>;
  let assistant: AssistantModel;
  const opened: TestEventStream[] = [];
  beforeEach(async () => {
    user = await createUser();
    assistant = await createAssistant(user.workspaceId);
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
  const finish = (id: string) => finishSession(id, COMPLETED);

  it('sends a session from the queue to its deletion, with its cost and without its content', async () => {
    const stream = await open();
    expect(stream.status).to.equal(200);
    expect(stream.headers.get('content-type')).to.equal('text/event-stream');
    expect(stream.headers.get('x-accel-buffering')).to.equal('no');
    expect(stream.headers.get('cache-control')).to.equal('no-store');
    const session = await createSession(assistant, { summary_text: 'a secret of the client' });
    const { id } = session;
    await until(stream, (last) => last?.event === 'session');
    await createCall(session, { cost_usd: 0.25 });
    await beginStep(id, 'analysis');
    await until(stream, () => states(stream).includes('analyzing'));
    await finish(id);
    await until(stream, () => states(stream).includes('completed'));
    const completed_at = (await SessionModel.query().findById(id))?.completed_at?.toISOString();
    expect(stream.events.at(-1)).to.deep.equal({
      event: 'session',
      data: {
        session_id: id,
        status: 'completed',
        assistant_id: assistant.id,
        total_cost: 0.25,
        completed_at,
        waiting_for: null,
      },
    });
    await eraseSession(id);
    await until(stream, () => states(stream).includes('deleted'));
    expect(states(stream)).to.deep.equal(['queued', 'analyzing', 'completed', 'deleted']);
    expect(JSON.stringify(stream.events)).not.to.match(/secret|parcel|Good morning/);
  });

  it('sends each attempt of a delivery', async () => {
    const delivery = await createDelivery(await createSession(assistant));
    const stream = await open();
    await openAttempt(delivery.id);
    await until(stream, (last) => last?.event === 'delivery');
    expect(stream.events.at(-1)?.data).to.deep.include({ delivery_id: delivery.id, status: 'pending', attempt: 1 });
    const failed = { delivery_id: delivery.id, attempt: 1, failure: 'http_status', status_code: 503 } as const;
    await DeliveryAttemptModel.end(failed, 'pending', 30_000);
    const { next_attempt_at } = await DeliveryModel.query().findById(delivery.id).throwIfNotFound();
    const { session_id } = delivery;
    const data = { delivery_id: delivery.id, session_id, status: 'pending', attempt: 1 };
    const expected = { event: 'delivery', data: { ...data, next_attempt_at: next_attempt_at?.toISOString() } };
    await until(stream, (last) => JSON.stringify(last) === JSON.stringify(expected));
  });

  it('sends users only their own events, over all their streams and from every process', async () => {
    const other = await createUser();
    const second = await startTestApi();
    const streams = [await open(), await open(), await open({ at: second })];
    const foreign = await open({ token: other.token });
    const { id } = await createSession(assistant);
    for (const stream of streams) await until(stream, (last) => last?.event === 'session');
    const own = await createSession(await createAssistant(other.workspaceId));
    await until(foreign, (last) => last?.event === 'session');
    expect(JSON.stringify(foreign.events)).to.contain(own.id).and.not.to.contain(id);
    await second.stop();
  });

  it('merges changes in quick succession, and replaces very many with one refetch event', async () => {
    const stream = await open();
    const { id } = await createSession(assistant);
    await SessionModel.transaction(async (trx) => {
      await SessionModel.query(trx).findById(id).patch({ status: 'analyzing' });
      await finishSession(id, COMPLETED, { trx });
    });
    await until(stream, () => states(stream).includes('completed'));
    const told = stream.events.length;
    const columns = ['workspace_id', 'assistant_id', 'type', 'assistant', 'metadata', 'simulated'];
    const row = await SessionModel.query().select(columns).findById(id).throwIfNotFound();
    const copy = row.$toDatabaseJson();
    const rows = Array.from({ length: 101 }, () => ({ ...copy, id: typeid('sess').toString() }));
    await testDatabase().db('sessions').insert(rows);
    await until(stream, (last) => last?.event === 'refetch');
    expect(stream.events.slice(told)).to.deep.equal([{ event: 'refetch', data: {} }]);
  });

  it('sends refetch to a client that reconnects', async () => {
    const stream = await open({ headers: { 'Last-Event-ID': '7' } });
    await until(stream, (last) => last?.event === 'refetch');
    const fresh = await open();
    await createSession(assistant);
    await until(fresh, (last) => last?.event === 'session');
    expect(fresh.events.map(({ event }) => event)).to.deep.equal(['session']);
  });

  it('limits the streams of one user, until one is closed', async () => {
    const [first] = [await open(), await open(), await open()];
    const refused = await open();
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0);
    expect((await open({ token: (await createUser()).token })).status).to.equal(200);
    first.close();
    await eventually(async () => (await open()).status, 200);
  });

  describe('ends', () => {
    const isOver = (stream: TestEventStream) => eventually(stream.isOver, (over) => over);

    it('when the API stops', async () => {
      const draining = await startTestApi();
      const stream = await open({ at: draining });
      await draining.stop();
      await isOver(stream);
    });

    it('when the API token is revoked; other streams continue', async () => {
      const [key] = await ApiKeyModel.query().where({ workspace_id: user.workspaceId });
      const [stream, bystander] = [await open(), await openByCookie()];
      await send(api, 'revokeKey', { token: user.token, params: { key_id: key?.id ?? '' } });
      await isOver(stream);
      expect(bystander.stream.isOver()).to.equal(false);
    });

    it('when the login ends, and when another login changes the password', async () => {
      const [one, two] = [await openByCookie(), await openByCookie()];
      await send(api, 'logOut', { headers: one.headers });
      await isOver(one.stream);
      expect(two.stream.isOver()).to.equal(false);
      const body = { current_password: PASSWORD, new_password: 'a new password' };
      await send(api, 'changePassword', { token: user.token, body });
      await isOver(two.stream);
    });

    async function openByCookie() {
      const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };
      const body = { email: user.user.email, password: PASSWORD };
      const answer = await send(api, 'openConsoleSession', { body, headers: sameOrigin });
      const headers = { ...sameOrigin, Cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
      const stream = await openEventStream(api, headers);
      opened.push(stream);
      return { stream, headers };
    }
  });

  describe('in a separate process', () => {
    /** Opens a stream without HTTP. */
    async function openHub({
      databaseUrl = testDatabase().url,
      heartbeatMs = 60_000,
      isStillValid = async () => true,
      userId = '',
    } = {}) {
      const listener = await listenToDatabase({ databaseUrl, log: silentLog });
      const streams = createEventStreams({ listener, log: silentLog, streamsPerKey: 1, heartbeatMs });
      const stream = await streams.open(user.workspaceId, { userId, key: '', isResumed: false, isStillValid });
      const stop = async () => {
        streams.close();
        await listener.close();
      };
      return stopAfterTest(Promise.resolve({ stream, stop }));
    }

    const textOf = (stream: Readable) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      return () => text;
    };

    it('receives no notifications of sessions before a stream is open', async () => {
      const real = await listenToDatabase({ databaseUrl: testDatabase().url, log: silentLog });
      const channels: string[] = [];
      const listener: Listener = {
        ...real,
        subscribe: (channel, subscriber) => real.subscribe(channel, subscriber).finally(() => channels.push(channel)),
      };
      const streams = createEventStreams({ listener, log: silentLog, streamsPerKey: 2 });
      const options = { userId: '', key: '', isResumed: false, isStillValid: async () => true };
      expect(channels).to.deep.equal([]);
      for (let i = 0; i < 2; i++) {
        textOf(await streams.open(user.workspaceId, options));
        expect(channels).to.deep.equal(['changed']);
      }
      streams.close();
      await real.close();
    });

    it('sends heartbeats, and ends once the credentials are no longer valid', async () => {
      let isValid = true;
      const { stream } = await openHub({ heartbeatMs: 5, isStillValid: async () => isValid });
      const text = textOf(stream);
      await eventually(
        () =>
          text()
            .split('\n\n')
            .filter((chunk) => chunk.startsWith(':')).length >= 3,
        true,
      );
      expect(stream.readableEnded).to.equal(false);
      isValid = false;
      await eventually(() => stream.readableEnded, true);
    });

    it('sends heartbeats while credentials can not be checked', async () => {
      const never = Promise.withResolvers<boolean>();
      const { stream } = await openHub({ heartbeatMs: 5, isStillValid: () => never.promise });
      const text = textOf(stream);
      await eventually(() => text().split(':\n\n').length > 3, true);
    });

    it('Threat: ends before the next heartbeat when the user is removed from the workspace', async () => {
      const { id } = user.user;
      const { stream } = await openHub({ userId: id, isStillValid: async () => false });
      textOf(stream);
      const membership = { user_id: id, workspace_id: user.workspaceId };
      await MembershipModel.transaction((trx) => MembershipModel.remove(membership, trx));
      await eventually(() => stream.readableEnded, true);
    });

    it('sends refetch when the connection to the database was lost', async () => {
      const url = new URL(testDatabase().url);
      const proxy = await stopAfterTest(startTcpProxy({ port: Number(url.port) }));
      url.host = `127.0.0.1:${proxy.port}`;
      const { stream } = await openHub({ databaseUrl: url.href });
      const text = textOf(stream);
      proxy.cut();
      await eventually(() => text().includes('event: refetch'), true);
    });

    it('cuts off a client that does not read', async () => {
      const { stream } = await openHub();
      stream.push('x'.repeat(300 * 1024));
      await createSession(assistant);
      await eventually(() => stream.destroyed, true);
    });
  });
});
