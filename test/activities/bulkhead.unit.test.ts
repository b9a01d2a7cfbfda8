import { mock } from 'node:test';
import type { ApplicationFailure } from '@temporalio/common';
import { createBulkhead, type Bulkhead } from '../../activities/bulkhead.ts';
import type { Caller } from '../../contract/workflows.ts';
import { errorOf } from '../support/error-of.ts';

const LIMIT = 50;

describe('A bulkhead', () => {
  afterEach(() => mock.restoreAll());

  const of = (payer: string, is_awaited = false): Caller => ({ payer, is_awaited });

  /** Claims slots until the bulkhead refuses. Returns their number and a function that releases them. */
  function fill(bulkhead: Bulkhead, caller: Caller) {
    const releases: (() => void)[] = [];
    while (bulkhead.hasSlotFor(caller)) releases.push(bulkhead.claim(caller));
    return { count: releases.length, free: () => releases.forEach((release) => release()) };
  }

  const refusalOf = async (bulkhead: Bulkhead, caller: Caller) =>
    (await errorOf((async () => bulkhead.claim(caller))())) as ApplicationFailure;

  const delayOf = async (bulkhead: Bulkhead, caller: Caller) =>
    Number((await refusalOf(bulkhead, caller)).nextRetryDelay);

  it('gives one workspace 4/5 of the slots, and more for requests whose client waits', () => {
    const bulkhead = createBulkhead(LIMIT, 'calls');
    expect(fill(bulkhead, of('a')).count).to.equal(40);
    expect(bulkhead.hasSlotFor(of('a', true))).to.equal(true);
    fill(bulkhead, of('a', true));
    expect(bulkhead.hasSlotFor(of('b'))).to.equal(true);
  });

  it('spreads the retries of refused steps, separately for each workspace', async () => {
    mock.method(performance, 'now', () => 0);
    const bulkhead = createBulkhead(1, 'calls');
    fill(bulkhead, of('a'));
    const delays: number[] = [];
    for (let i = 0; i < 20; i++) delays.push(await delayOf(bulkhead, of('a')));
    // One slot and calls that take a second.
    for (const [index, delay] of delays.slice(1).entries()) expect(delay - (delays[index] ?? 0)).to.equal(1_000);
    expect(await delayOf(bulkhead, of('b'))).to.be.below(1_500);
    expect(await delayOf(bulkhead, of('a', true))).to.be.below(1_500);
  });

  it('never delays a retry by more than five minutes', async () => {
    const bulkhead = createBulkhead(1, 'calls');
    fill(bulkhead, of('a'));
    let delay = 0;
    for (let i = 0; i < 400; i++) delay = await delayOf(bulkhead, of('a'));
    expect(delay).to.equal(300_000);
  });
});
