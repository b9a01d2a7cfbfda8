import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createSessionWaits, type SessionWaits } from '../../../api/streams/waits.ts';
import { listenToDatabase, type Listener } from '../../../db/listen.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { finishSession } from '../../../db/queries/session-status.ts';
import { testDatabase, useConnections } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { COMPLETED, createOwner, createSession } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

/** Much longer than any test, so a wait that reaches it fails the test. */
const LONG_MS = 600_000;

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
  const finish = (id: string) => SessionModel.transaction((trx) => finishSession(id, COMPLETED, { trx }));
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

  it('detects the end after its database connection was cut several times, and after it went silent', async () => {
    const finishOne = async (lose = () => undefined as unknown) => {
      const { id } = await newSession();
      const waiting = begin(id);
      lose();
      await finish(id);
      await waiting.done;
    };
    for (let round = 0; round < 3; round++) {
      proxy.cut();
      await eventually(proxy.connections, 0);
      await eventually(proxy.connections, 1);
      await finishOne();
    }
    await finishOne(() => proxy.silence());
    await finishOne();
  });

  it('polls the database, in case a notification is lost', async () => {
    const rechecking = await createSessionWaits({ listener, log: silentLog, recheckMs: 50 });
    const [session, bystander] = [await newSession(), await newSession()];
    const waiting = begin(session.id, { on: rechecking });
    const other = begin(bystander.id, { on: rechecking });
    await SessionModel.query().findById(session.id).patch({ status: 'completed', completed_at: new Date() });
    await waiting.done;
    expect(other.isOver).to.equal(false);
    rechecking.close();
  });

  it('ends when the process stops', async () => {
    const closing = await createSessionWaits({ listener, log: silentLog });
    const waiting = [begin('sess_1', { on: closing }), begin('sess_2', { on: closing })];
    closing.close();
    await Promise.all(waiting.map(({ done }) => done));
    await begin('sess_3', { on: closing }).done;
  });
});
