import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import { createFairShares } from '../../runtime/fair-shares.ts';
import type { FairShares, FairSharesOptions } from '../../runtime/fair-shares.ts';

/** Asks for shares and keeps the names of those who got theirs, in that order. */
function startAsking(options: FairSharesOptions) {
  const shares: FairShares = createFairShares(options);
  const served: string[] = [];
  const held = new Map<string, () => void>();
  const asking: Promise<void>[] = [];
  return {
    shares,
    async ask(name: string, amount: number, signal?: AbortSignal) {
      const [key = ''] = name.split(' ');
      asking.push(
        shares.take(key, amount, signal).then((giveBack) => {
          served.push(name);
          held.set(name, giveBack);
        }),
      );
      await settled();
    },
    async giveBack(name: string) {
      held.get(name)?.();
      await settled();
    },
    served,
    all: () => Promise.all(asking),
  };
}

describe('Fair shares', () => {
  it('are never more than the bound, nor more of one key than its own', async () => {
    const shares = createFairShares({ total: 6, perKey: 3 });
    const now = { all: 0, a: 0, b: 0, c: 0 };
    const most = { ...now };
    const count = (key: 'a' | 'b' | 'c', amount: number) => {
      for (const each of ['all', key] as const) most[each] = Math.max(most[each], (now[each] += amount));
    };
    const work = (key: 'a' | 'b' | 'c', amount: number) =>
      shares.run(key, amount, async () => {
        count(key, amount);
        await settled();
        count(key, -amount);
      });
    const keys = ['a', 'b', 'c'] as const;
    await Promise.all(Array.from({ length: 90 }, (_, index) => work(keys[index % 3] ?? 'a', 1 + (index % 2))));
    expect(most).to.deep.equal({ all: 6, a: 3, b: 3, c: 3 });
  });

  it('let a newcomer wait for nobody who has a whole queue', async () => {
    const { ask, giveBack, served } = startAsking({ total: 2, perKey: 1 });
    for (const name of ['greedy 1', 'greedy 2', 'greedy 3']) await ask(name, 1);
    await ask('other 1', 1);
    expect(served).to.deep.equal(['greedy 1', 'other 1']);
    await ask('third 1', 1);
    await ask('other 2', 1);
    await giveBack('greedy 1');
    await giveBack('other 1');
    expect(served.slice(2).sort()).to.deep.equal(['greedy 2', 'third 1']);
  });

  it('have those who wait take turns, however many requests one of them has', async () => {
    const { ask, giveBack, served } = startAsking({ total: 1, perKey: 1 });
    for (const name of ['greedy 1', 'greedy 2', 'greedy 3', 'other 1', 'other 2']) await ask(name, 1);
    for (let turn = 0; turn < 4; turn++) await giveBack(served[turn] ?? '');
    expect(served).to.deep.equal(['greedy 1', 'greedy 2', 'other 1', 'greedy 3', 'other 2']);
  });

  it('serve the requests of one key in the order in which they came', async () => {
    const { ask, giveBack, served, all } = startAsking({ total: 10, perKey: 2 });
    for (const [name, amount] of [
      ['a 1', 2],
      ['a 2', 2],
      ['a 3', 1],
      ['a 4', 1],
    ] as const)
      await ask(name, amount);
    await giveBack('a 1');
    await giveBack('a 2');
    await all();
    expect(served).to.deep.equal(['a 1', 'a 2', 'a 3', 'a 4']);
  });

  it('let no stream of small requests overtake a large one for ever', async () => {
    const { ask, giveBack, served } = startAsking({ total: 4, perKey: 4 });
    await ask('small 1', 1);
    await ask('large 1', 4);
    await ask('tiny 1', 1);
    expect(served).to.deep.equal(['small 1']);
    await giveBack('small 1');
    expect(served).to.deep.equal(['small 1', 'large 1']);
  });

  it('count what is larger than a share as the whole share', async () => {
    const { ask, giveBack, served } = startAsking({ total: 8, perKey: 4 });
    await ask('a 1', 1_000);
    await ask('a 2', 1);
    expect(served).to.deep.equal(['a 1']);
    await giveBack('a 1');
    expect(served).to.deep.equal(['a 1', 'a 2']);
  });

  it('leave nothing behind of who gave up waiting, and throw the reason', async () => {
    const { shares, ask, giveBack, served } = startAsking({ total: 1, perKey: 1 });
    await ask('a 1', 1);
    const controller = new AbortController();
    const waiting = shares.take('b', 1, controller.signal);
    await ask('c 1', 1);
    controller.abort(new Error('gone'));
    const reason = await waiting.catch((error: unknown) => (error as Error).message);
    expect(reason).to.equal('gone');
    await giveBack('a 1');
    expect(served).to.deep.equal(['a 1', 'c 1']);
  });

  it('come back from work that fails', async () => {
    const shares = createFairShares({ total: 1, perKey: 1 });
    await shares.run('a', 1, () => Promise.reject(new Error('failed'))).catch(() => undefined);
    expect(await shares.run('a', 1, async () => 'ran')).to.equal('ran');
  });
});
