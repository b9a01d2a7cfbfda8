import { mock } from 'node:test';
import { ApplicationFailure } from '@temporalio/common';
import { expect } from 'chai';
import { createFairBulkhead, type FairBulkhead } from '../../activities/bulkhead.ts';
import type { Caller } from '../../contract/workflows.ts';
import { errorOf } from '../support/error-of.ts';

const LIMIT = 50;

describe('A bulkhead', () => {
  afterEach(() => mock.restoreAll());

  const of = (payer: string, is_awaited = false): Caller => ({ payer, is_awaited });

  /** Takes slots until the bulkhead refuses. Returns their number and a function that frees them. */
  function fill(bulkhead: FairBulkhead, caller: Caller) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const running: Promise<void>[] = [];
    while (!bulkhead.isFullFor(caller)) running.push(bulkhead.run(caller, () => promise));
    const free = async () => {
      resolve();
      await Promise.all(running);
    };
    return { count: running.length, free };
  }

  const refusalOf = async (bulkhead: FairBulkhead, caller: Caller) =>
    (await errorOf(bulkhead.run(caller, async () => undefined))) as ApplicationFailure;

  const delayOf = async (bulkhead: FairBulkhead, caller: Caller) =>
    Number((await refusalOf(bulkhead, caller)).nextRetryDelay);

  it('keeps a slot for a workspace without calls while others use their full share', () => {
    const bulkhead = createFairBulkhead(LIMIT, 'calls');
    let held = 0;
    for (const workspace of ['a', 'b', 'c']) held += fill(bulkhead, of(workspace)).count;
    expect(held).to.be.within(LIMIT - 10, LIMIT - 1);
    expect(bulkhead.isFullFor(of('another'))).to.equal(false);
  });

  it('gives one workspace 4/5 of the slots, and more for requests whose client waits', () => {
    const bulkhead = createFairBulkhead(LIMIT, 'calls');
    expect(fill(bulkhead, of('a')).count).to.equal(40);
    expect(bulkhead.isFullFor(of('a', true))).to.equal(false);
    fill(bulkhead, of('a', true));
    expect(bulkhead.isFullFor(of('b'))).to.equal(false);
  });

  it('refuses a call if there is no free slot; the call is retried later', async () => {
    const bulkhead = createFairBulkhead(1, 'calls to openai');
    const { free } = fill(bulkhead, of('a'));
    const refusal = await refusalOf(bulkhead, of('a'));
    expect(refusal).to.be.instanceOf(ApplicationFailure).and.to.include({ type: 'busy', nonRetryable: false });
    await free();
    expect(await bulkhead.run(of('a'), async () => 'ran')).to.equal('ran');
  });

  it('frees the slot of a failed call', async () => {
    const bulkhead = createFairBulkhead(1, 'calls');
    await bulkhead.run(of('a'), () => Promise.reject(new Error('failed'))).catch(() => undefined);
    expect(bulkhead.isFullFor(of('a'))).to.equal(false);
  });

  it('spreads the retries of refused steps, separately for each workspace', async () => {
    mock.method(performance, 'now', () => 0);
    const bulkhead = createFairBulkhead(1, 'calls');
    fill(bulkhead, of('a'));
    const delays: number[] = [];
    for (let i = 0; i < 20; i++) delays.push(await delayOf(bulkhead, of('a')));
    // One slot and calls that take a second.
    for (const [index, delay] of delays.slice(1).entries()) expect(delay - (delays[index] ?? 0)).to.equal(1_000);
    expect(await delayOf(bulkhead, of('b'))).to.be.below(1_500);
    expect(await delayOf(bulkhead, of('a', true))).to.be.below(1_500);
  });

  it('never delays a retry by more than five minutes', async () => {
    const bulkhead = createFairBulkhead(1, 'calls');
    fill(bulkhead, of('a'));
    let delay = 0;
    for (let i = 0; i < 400; i++) delay = await delayOf(bulkhead, of('a'));
    expect(delay).to.equal(300_000);
  });
});
