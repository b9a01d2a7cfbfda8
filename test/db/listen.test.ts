import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { listenToDatabase } from '../../db/listen.ts';
import type { Listener, ListenOptions } from '../../db/listen.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';

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

  /** Subscribes to a channel of its own; what was heard, and how often the connection was made anew. */
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

  it('tells each subscriber what is sent to its channel, over one connection', async () => {
    await listen();
    const [one, other] = [await subscribe(), await subscribe()];
    const same = await subscribe(one.channel);
    await notify(one.channel, 'a');
    await notify(other.channel, 'b');
    await hear(other, 'b');
    expect([one.heard, same.heard, other.heard]).to.deep.equal([['a'], ['a'], ['b']]);
    expect(proxy.connections()).to.equal(1);
  });

  it('tells nothing more to who has unsubscribed', async () => {
    await listen();
    const one = await subscribe();
    const other = await subscribe(one.channel);
    one.unsubscribe();
    await notify(one.channel, 'a');
    await hear(other, 'a');
    expect(one.heard).to.deep.equal([]);
  });

  it('is made anew for every channel after it was cut, and says so', async () => {
    await listen();
    const both = [await subscribe(), await subscribe()];
    proxy.cut();
    for (const each of both) {
      await eventually(
        () => each.reconnects,
        (count) => count === 1,
      );
      await notify(each.channel, 'after');
      await hear(each, 'after');
    }
  });

  it('is found silent by its own probe, and made anew', async () => {
    await listen({ probeMs: 100, timeoutMs: 500 });
    const one = await subscribe();
    proxy.silence();
    await eventually(
      () => one.reconnects,
      (count) => count === 1,
    );
    await notify(one.channel, 'after');
    await hear(one, 'after');
  });

  it('is made anew although the first that took its place was taken and never answered', async () => {
    await listen({ probeMs: 100, timeoutMs: 500 });
    const one = await subscribe();
    proxy.hang();
    await eventually(proxy.connections, (count) => count === 2);
    // What is connected now stays silent, and what comes after it is served.
    void proxy.pass();
    proxy.silence();
    await eventually(
      () => one.reconnects,
      (count) => count === 1,
    );
  });

  it('is closed in time although it went silent', async () => {
    await listen({ timeoutMs: 500 });
    proxy.silence();
    await listener.close();
  });

  it('is closed in time while the database is away', async () => {
    await listen();
    await proxy.refuse();
    await listener.close();
  });

  it('can be asked for another channel while the database is away', async () => {
    await listen({ probeMs: 50, timeoutMs: 500 });
    const known = await subscribe();
    await proxy.refuse();
    const late = await eventually(
      () => subscribe().catch(() => undefined),
      (subscribed) => subscribed !== undefined,
    );
    await proxy.pass();
    for (const each of [known, late!]) {
      await eventually(
        () => each.reconnects,
        (count) => count > 0,
      );
      await notify(each.channel, 'after');
      await hear(each, 'after');
    }
  });
});
