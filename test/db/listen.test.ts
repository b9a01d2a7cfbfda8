import { randomUUID } from 'node:crypto';
import { listenToDatabase, type Listener, type ListenOptions } from '../../db/listen.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

describe('The connection that listens', () => {
  let proxy: TcpProxy;
  let listener: Listener;
  beforeEach(async () => {
    proxy = await startTcpProxy({ port: Number(new URL(testDatabase().url).port) });
  });
  afterEach(async () => {
    await listener.close();
    await proxy.stop();
  });

  async function listen(options: Partial<ListenOptions> = {}): Promise<void> {
    const url = new URL(testDatabase().url);
    url.host = `127.0.0.1:${proxy.port}`;
    listener = await listenToDatabase({ databaseUrl: url.href, log: silentLog, ...options });
  }

  /** Subscribes to a channel (default: a new one). Returns the messages and the number of reconnections. */
  async function subscribe(channel = `Test ${randomUUID()}`) {
    const heard: string[] = [];
    const state = { channel, heard, reconnects: 0, unsubscribe: () => undefined as void };
    state.unsubscribe = await listener.subscribe(channel, {
      notified: (payload) => heard.push(payload),
      reconnected: () => state.reconnects++,
    });
    return state;
  }

  const notify = (channel: string, payload: string) =>
    testDatabase().db.raw('select pg_notify(?, ?)', [channel, payload]);

  const hear = ({ heard }: { heard: string[] }, payload: string) =>
    eventually(
      () => heard,
      (payloads) => payloads.includes(payload),
    );

  it('passes messages to the subscribers of their channel, over one connection', async () => {
    await listen();
    const [one, other] = [await subscribe(), await subscribe()];
    const same = await subscribe(one.channel);
    await notify(one.channel, 'a');
    await notify(other.channel, 'b');
    await hear(other, 'b');
    expect([one.heard, same.heard, other.heard]).to.deep.equal([['a'], ['a'], ['b']]);
    expect(proxy.connections()).to.equal(1);
  });

  it('passes no messages after the subscription ended', async () => {
    await listen();
    const one = await subscribe();
    const other = await subscribe(one.channel);
    one.unsubscribe();
    await notify(one.channel, 'a');
    await hear(other, 'a');
    expect(one.heard).to.deep.equal([]);
  });

  /** Checks that a subscriber is notified of the new connection and receives messages over it. */
  async function expectReconnected(subscriber: Awaited<ReturnType<typeof subscribe>>): Promise<void> {
    await eventually(
      () => subscriber.reconnects,
      (count) => count > 0,
    );
    await notify(subscriber.channel, 'after');
    await hear(subscriber, 'after');
  }

  it('is replaced after it was cut, for every channel, and reports the replacement', async () => {
    await listen();
    const both = [await subscribe(), await subscribe()];
    proxy.cut();
    for (const each of both) await expectReconnected(each);
    expect(both.map(({ reconnects }) => reconnects)).to.deep.equal([1, 1]);
  });

  it('is replaced if its probe gets no response', async () => {
    await listen({ probeMs: 100, timeoutMs: 500 });
    const one = await subscribe();
    proxy.silence();
    await expectReconnected(one);
  });

  it('is replaced if its server is read-only, as a former primary is', async () => {
    const url = new URL(testDatabase().url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    listener = await listenToDatabase({ databaseUrl: url.href, log: silentLog, probeMs: 100 });
    const one = await subscribe();
    await eventually(
      () => one.reconnects,
      (count) => count > 0,
    );
    // Each new connection is read-only too and is soon replaced, so a message between two of them is lost.
    const heard = () => notify(one.channel, 'after').then(() => one.heard);
    await eventually(heard, (messages) => messages.includes('after'));
  });

  it('is replaced if the server refuses LISTEN, for the channels of before and the new one', async () => {
    await listen();
    const known = await subscribe();
    proxy.damage('listen');
    const late = await subscribe();
    for (const each of [known, late]) await expectReconnected(each);
  });

  it('is replaced even if the first new connection is accepted but never gets a response', async () => {
    await listen({ probeMs: 100, timeoutMs: 500 });
    const one = await subscribe();
    proxy.hang();
    await eventually(proxy.connections, 2);
    // Existing connections stay silent, and later ones work.
    void proxy.pass();
    proxy.silence();
    await eventually(() => one.reconnects, 1);
  });

  it('can be closed while it is silent', async () => {
    await listen({ timeoutMs: 500 });
    proxy.silence();
    await listener.close();
  });

  it('can be closed while the database is unavailable', async () => {
    await listen();
    await proxy.refuse();
    await listener.close();
  });

  it('starts while the database is unavailable, and receives messages later', async () => {
    await proxy.refuse();
    await listen();
    const late = await subscribe();
    await proxy.pass();
    await expectReconnected(late);
  });

  it('accepts another channel while the database is unavailable', async () => {
    await listen({ probeMs: 50, timeoutMs: 500 });
    const known = await subscribe();
    await proxy.refuse();
    const late = await eventually(
      () => subscribe().catch(() => undefined),
      (subscribed) => subscribed !== undefined,
    );
    await proxy.pass();
    for (const each of [known, late!]) await expectReconnected(each);
  });
});
