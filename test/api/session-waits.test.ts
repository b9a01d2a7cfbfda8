import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createSessionWaits } from '../../api/session-waits.ts';
import type { SessionWaits } from '../../api/session-waits.ts';
import { listenToDatabase } from '../../db/listen.ts';
import type { Listener } from '../../db/listen.ts';
import { SessionModel } from '../../db/models/session.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createSession, createUser } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';

/** Far above what any test here takes: who is woken by it fails. */
const LONG_MS = 600_000;

const COMPLETED = { status: 'completed', summary_text: 's', raw_response: {}, temperature_applied: true } as const;

describe('Waiting for the end of a session', () => {
  let proxy: TcpProxy;
  let listener: Listener;
  let waits: SessionWaits;
  before(async () => {
    const url = new URL(testDatabase().url);
    proxy = await startTcpProxy({ port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    // A connection that went silent is noticed in a fifth of a second here.
    listener = await listenToDatabase({ databaseUrl: url.href, log: silentLog, probeMs: 100, timeoutMs: 100 });
    waits = await createSessionWaits({ listener, log: silentLog, recheckMs: LONG_MS });
  });
  after(async () => {
    waits.close();
    await listener.close();
    await proxy.stop();
  });
  afterEach(() => proxy.pass());

  const newSession = async () => createSession(await createAssistant((await createUser()).user.id));
  const finish = (id: string) => SessionModel.transaction((trx) => SessionModel.finish(id, COMPLETED, trx));
  const never = new AbortController().signal;

  /** A wait, and whether it is over. */
  function begin(id: string, { timeoutMs = LONG_MS, signal = never, on = waits } = {}) {
    const state = { isOver: false, done: Promise.resolve() };
    state.done = on.wait(id, timeoutMs, signal).then(() => {
      state.isOver = true;
    });
    return state;
  }

  it('ends with the transaction that stores the end, and not before', async () => {
    const { id } = await newSession();
    const waiting = begin(id);
    const trx = await SessionModel.startTransaction();
    await SessionModel.finish(id, COMPLETED, trx);
    const bystander = await newSession();
    const other = begin(bystander.id);
    await finish(bystander.id);
    await other.done; // a notification that came later is there, so this one has not been sent
    expect(waiting.isOver).to.equal(false);
    await trx.commit();
    await waiting.done;
  });

  it('ends for a session that failed or was canceled, too', async () => {
    const error = { code: 'auth', stage: 'analysis', provider: 'openai', message: 'm', retryable: false } as const;
    for (const end of [{ status: 'failed', error }, { status: 'canceled' }] as const) {
      const { id } = await newSession();
      const waiting = begin(id);
      await SessionModel.transaction((trx) => SessionModel.finish(id, end, trx));
      await waiting.done;
    }
  });

  it('ends for everybody who waits for that session, and for nobody else', async () => {
    const [session, other] = [await newSession(), await newSession()];
    const [one, two, bystander] = [begin(session.id), begin(session.id), begin(other.id)];
    await finish(session.id);
    await Promise.all([one.done, two.done]);
    expect(bystander.isOver).to.equal(false);
    await finish(other.id);
    await bystander.done;
  });

  it('hears of an end that comes at once: it listens before it returns', async () => {
    const { id } = await newSession();
    const waiting = begin(id);
    void finish(id);
    await waiting.done;
  });

  it('ends after its own time and when the client leaves, for that one alone', async () => {
    const { id } = await newSession();
    const leaving = new AbortController();
    const [patient, hasty, gone] = [begin(id), begin(id, { timeoutMs: 1 }), begin(id, { signal: leaving.signal })];
    await hasty.done;
    expect([patient.isOver, gone.isOver]).to.deep.equal([false, false]);
    leaving.abort();
    await gone.done;
    await begin(id, { signal: AbortSignal.abort() }).done;
    await nextTurn();
    expect(patient.isOver).to.equal(false);
    await finish(id);
    await patient.done;
  });

  it('notices by itself what happened while its connection was lost', async () => {
    const { id } = await newSession();
    const waiting = begin(id);
    await proxy.refuse();
    await finish(id);
    await nextTurn();
    expect(waiting.isOver).to.equal(false);
    await proxy.pass();
    await waiting.done;
  });

  it('listens again after its connection was cut, however often', async () => {
    for (let round = 0; round < 3; round++) {
      proxy.cut();
      await eventually(proxy.connections, (count) => count === 0);
      await eventually(proxy.connections, (count) => count === 1);
      const { id } = await newSession();
      const waiting = begin(id);
      await finish(id);
      await waiting.done;
    }
  });

  it('hears of the end although its connection went silent and neither side was told', async () => {
    const { id } = await newSession();
    const waiting = begin(id);
    proxy.silence();
    await finish(id);
    await waiting.done;
    const next = await newSession();
    const heard = begin(next.id);
    await finish(next.id);
    await heard.done;
  });

  it('loses at most the time of a recheck to a notification that never came', async () => {
    const rechecking = await createSessionWaits({ listener, log: silentLog, recheckMs: 50 });
    const [session, bystander] = [await newSession(), await newSession()];
    const waiting = begin(session.id, { on: rechecking });
    const other = begin(bystander.id, { on: rechecking });
    await SessionModel.query().findById(session.id).patch({ status: 'completed', completed_at: new Date() });
    await waiting.done;
    expect(other.isOver).to.equal(false);
    rechecking.close();
  });

  it('is over for all when the process stops', async () => {
    const closing = await createSessionWaits({ listener, log: silentLog });
    const waiting = [begin('sess_1', { on: closing }), begin('sess_2', { on: closing })];
    closing.close();
    await Promise.all(waiting.map(({ done }) => done));
    await begin('sess_3', { on: closing }).done;
  });
});
