import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSessionWaits, type SessionWaits } from '../../../api/streams/waits.ts';
import { listenToDatabase, type Listener } from '../../../db/listen.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { eraseSession } from '../../../db/queries/erase-session.ts';
import { finishSession } from '../../../db/queries/session-status.ts';
import { send, startTestApi } from '../../support/api.ts';
import { testDatabase, useConnections } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { COMPLETED, createOwner, createSession } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

/** Much longer than any test, so a wait that reaches it fails the test. */
const LONG_MS = 600_000;

const finish = (id: string) => SessionModel.transaction((trx) => finishSession(id, COMPLETED, { trx }));

describe('Waiting for the end of a session', () => {
  useConnections();
  let proxy: TcpProxy;
  let listener: Listener;
  let waits: SessionWaits;
  before(async () => {
    const url = new URL(testDatabase().url);
    proxy = await startTcpProxy({ port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    // The timeout also limits connecting, which may take a second on a busy machine.
    listener = await listenToDatabase({ databaseUrl: url.href, log: silentLog, probeMs: 100, timeoutMs: 2_000 });
    waits = await createSessionWaits({ listener, log: silentLog, recheckMs: LONG_MS });
  });
  after(async () => {
    waits.close();
    await listener.close();
    await proxy.stop();
  });
  afterEach(() => proxy.pass());

  const newSession = async () => createSession((await createOwner()).assistant);
  const never = new AbortController().signal;

  /** Starts a wait. `isEnd` reports whether the wait is over because the session ended. */
  function begin(id: string, { timeoutMs = LONG_MS, signal = never, on = waits } = {}) {
    const state = { isOver: false, isEnd: false, done: Promise.resolve() };
    state.done = on.begin(id, { timeoutMs, signal }).ended.then((isEnd) => {
      state.isOver = true;
      state.isEnd = isEnd;
    });
    return state;
  }

  it('ends when the transaction that stores the end commits, and not before', async () => {
    const { id } = await newSession();
    const waiting = begin(id);
    const trx = await SessionModel.startTransaction();
    await finishSession(id, COMPLETED, { trx });
    const bystander = await newSession();
    const other = begin(bystander.id);
    await finish(bystander.id);
    // A later notification has arrived, so the first one was not sent.
    await other.done;
    expect(waiting.isOver).to.equal(false);
    await trx.commit();
    await waiting.done;
  });

  it('ends for any final status, for every client that waits for this session and for no others', async () => {
    const error = { code: 'auth', stage: 'analysis', provider: 'openai', message: 'm', retryable: false } as const;
    for (const end of [COMPLETED, { status: 'failed', error }, { status: 'canceled' }] as const) {
      const [session, other] = [await newSession(), await newSession()];
      const [one, two, bystander] = [begin(session.id), begin(session.id), begin(other.id)];
      void SessionModel.transaction((trx) => finishSession(session.id, end, { trx }));
      await Promise.all([one.done, two.done]);
      expect(bystander.isOver).to.equal(false);
      await finish(other.id);
      await bystander.done;
    }
  });

  it('ends after its timeout and when its client disconnects, without affecting other waits', async () => {
    const { id } = await newSession();
    const leaving = new AbortController();
    const [patient, hasty, gone] = [begin(id), begin(id, { timeoutMs: 1 }), begin(id, { signal: leaving.signal })];
    await hasty.done;
    expect([hasty.isEnd, patient.isOver, gone.isOver]).to.deep.equal([false, false, false]);
    leaving.abort();
    await gone.done;
    await begin(id, { signal: AbortSignal.abort() }).done;
    await nextTurn();
    expect(patient.isOver).to.equal(false);
    await finish(id);
    await patient.done;
    expect([gone.isEnd, patient.isEnd]).to.deep.equal([false, true]);
  });

  it('detects an end that occurred while its database connection was lost', async () => {
    const { id } = await newSession();
    const waiting = begin(id);
    await proxy.refuse();
    await finish(id);
    await nextTurn();
    expect(waiting.isOver).to.equal(false);
    await proxy.pass();
    await waiting.done;
  });

  it('polls the database, in case a notification is lost, and ends when the process stops, as later ones do', async () => {
    const rechecking = await createSessionWaits({ listener, log: silentLog, recheckMs: 50 });
    const [session, bystander] = [await newSession(), await newSession()];
    const waiting = begin(session.id, { on: rechecking });
    const other = begin(bystander.id, { on: rechecking });
    await SessionModel.query().findById(session.id).patch({ status: 'completed', completed_at: new Date() });
    await waiting.done;
    expect(other.isOver).to.equal(false);
    rechecking.close();
    await begin(bystander.id, { on: rechecking }).done;
    await other.done;
  });
});

describe('GET /v1/sessions/{id}?wait=N', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const read = (id: string, wait: number | string, on = api) =>
    send(on, 'getSession', { token, params: { id }, query: { wait } });

  /** Returns how often sessions have been read so far. Each request reads once before it waits. */
  let countReads: () => number;
  beforeEach(() => {
    let reads = 0;
    testDatabase().db.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
      reads += sql.includes('from "sessions"') ? 1 : 0;
    });
    countReads = () => reads;
  });
  afterEach(() => testDatabase().db.removeAllListeners('query-response'));

  it('responds when the session ends', async () => {
    const { id } = await createSession(assistant);
    const answer = read(id, 60);
    await eventually(countReads, 1);
    await finish(id);
    expect((await answer).body).to.include({ status: 'completed', summary_text: 's' });
  });

  it('responds immediately if the session has ended, or without wait', async () => {
    const ended = await createSession(assistant, { status: 'failed', completed_at: new Date() });
    expect((await read(ended.id, 60)).body.status).to.equal('failed');
    const queued = await createSession(assistant);
    expect((await read(queued.id, 0)).body.status).to.equal('queued');
  });

  it("returns the session's current state after N seconds, or after the server's maximum", async () => {
    const { id } = await createSession(assistant, { status: 'analyzing' });
    const started = performance.now();
    const { status, body } = await read(id, 1);
    expect([status, body.status]).to.deep.equal([200, 'analyzing']);
    expect(performance.now() - started).to.be.greaterThan(990);
    const bounded = await stopAfterTest(startTestApi({ adjust: ({ http }) => void (http.waitMs = 1_000) }));
    expect((await read(id, 60, bounded)).body.status).to.equal('analyzing');
  });

  it('reads nothing from the database while it waits', async () => {
    const sessions = await Promise.all(Array.from({ length: 50 }, () => createSession(assistant)));
    const answers = sessions.map(({ id }) => read(id, 60));
    await eventually(countReads, sessions.length);
    // This request waits for a second, and reads before and after. Nothing else may read in between.
    await read((await createSession(assistant)).id, 1);
    expect(countReads()).to.equal(sessions.length + 2);
    for (const { id } of sessions) await finish(id);
    const bodies = (await Promise.all(answers)).map(({ body }) => body);
    expect(bodies.map(({ session_id }) => session_id)).to.deep.equal(sessions.map(({ id }) => id));
    expect(bodies.filter(({ status }) => status !== 'completed')).to.deep.equal([]);
  });

  it("returns the session's current state when the API stops", async () => {
    const leaving = await startTestApi();
    const { id } = await createSession(assistant);
    const answers = Array.from({ length: 5 }, () => read(id, 60, leaving));
    await eventually(countReads, answers.length);
    await leaving.stop();
    for (const { status, body } of await Promise.all(answers)) {
      expect([status, body.status]).to.deep.equal([200, 'queued']);
    }
  });

  it('returns 404 when the session is deleted in the meantime', async () => {
    const { id } = await createSession(assistant);
    const answer = read(id, 60);
    await eventually(countReads, 1);
    await eraseSession(id);
    expect((await answer).problem.code).to.equal('not_found');
  });

  it('accepts 0 to 60 seconds', async () => {
    const { id } = await createSession(assistant, { status: 'canceled', completed_at: new Date() });
    expect((await read(id, 60)).status).to.equal(200);
    for (const wait of [-1, 61, 1.5, 'long', '1e400']) {
      expect((await read(id, wait)).paths, String(wait)).to.deep.equal(['wait']);
    }
  });
});
