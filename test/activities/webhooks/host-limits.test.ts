import { expect } from 'chai';
import { createHostLimits } from '../../../activities/webhooks/host-limits.ts';
import type { HostLimits } from '../../../activities/webhooks/host-limits.ts';

describe('The bound on webhook attempts under way', () => {
  let clockMs: number;
  let limits: HostLimits;
  beforeEach(() => {
    clockMs = 0;
    limits = createHostLimits({ perHost: 2, total: 3, now: () => clockMs });
  });

  /** What ends the attempt; fails if there was no place. */
  function enter(host: string): () => void {
    const place = limits.enter(host);
    if (!('leave' in place)) throw new Error(`${host} is busy`);
    return place.leave;
  }

  /** How long the attempt is to wait; fails if there was a place. */
  function refuse(host: string): number {
    const place = limits.enter(host);
    if ('leave' in place) throw new Error(`${host} has a place`);
    return place.wait_ms;
  }

  it('gives one host its share and leaves the rest to others', () => {
    enter('slow.example');
    enter('slow.example');
    refuse('slow.example');
    enter('well.example');
  });

  it('gives a place that was left to the next one', () => {
    const leave = enter('a.example');
    enter('a.example');
    refuse('a.example');
    leave();
    enter('a.example');
    refuse('a.example');
  });

  it('holds all hosts together to their bound', () => {
    for (const host of ['a.example', 'b.example', 'c.example']) enter(host);
    expect(refuse('d.example')).to.equal(1_000);
  });

  it('sends those away for at least a second and at most a minute, and not all to the same moment', () => {
    enter('slow.example');
    for (let attempt = 0; attempt < 4; attempt++) {
      const leave = enter('slow.example');
      clockMs += 1_000;
      leave();
    }
    enter('slow.example');
    const waits = Array.from({ length: 80 }, () => refuse('slow.example'));
    expect(waits[0]).to.be.at.least(1_000);
    expect(waits.at(-1)).to.equal(60_000);
    expect(new Set(waits.slice(0, 10))).to.have.property('size', 10);
    expect(waits).to.deep.equal(waits.toSorted((a, b) => a - b));
  });

  it('expects a host that is well to be so again soon, and one whose attempts do not end to take longer and longer', () => {
    enter('a.example');
    enter('a.example');
    const burst = Array.from({ length: 20 }, () => refuse('a.example'));
    expect(burst.at(-1)).to.be.at.most(2_000);
    clockMs += 8_000;
    const later = Array.from({ length: 5 }, () => refuse('a.example'));
    expect(later.at(-1)).to.be.at.least(15_000);
  });
});
