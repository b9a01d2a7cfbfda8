import { expect } from 'chai';
import { createWebhookSlots } from '../../../activities/webhooks/webhook-slots.ts';
import type { WebhookSlots, WebhookSlotsOptions } from '../../../activities/webhooks/webhook-slots.ts';

describe('The slots for webhook attempts', () => {
  const slotsOf = (options: Partial<WebhookSlotsOptions> = {}) =>
    createWebhookSlots({ total: 8, perHost: 2, perUser: 3, ...options });

  /** Claims until it is refused; returns how many were given, and what refused the next one. */
  function fill(slots: WebhookSlots, claim: (index: number) => { hostname: string; userId: string }) {
    for (let given = 0; ; given++) {
      const answer = slots.claim(claim(given));
      if (typeof answer === 'string') return { given, bound: answer };
    }
  }

  it('give one receiver its share and leave the rest to others', () => {
    const slots = slotsOf();
    const to = (hostname: string) => (index: number) => ({ hostname, userId: `user ${index}` });
    expect(fill(slots, to('slow.example'))).to.deep.equal({ given: 2, bound: 'host' });
    expect(slots.claim({ hostname: 'well.example', userId: 'other' })).to.be.a('function');
  });

  it('give one user a share, to however many receivers', () => {
    const slots = slotsOf();
    const of = (userId: string) => (index: number) => ({ hostname: `${userId}${index}.example`, userId });
    expect(fill(slots, of('busy'))).to.deep.equal({ given: 3, bound: 'user' });
    expect(fill(slots, of('other'))).to.deep.equal({ given: 3, bound: 'user' });
  });

  it('hold all users together to their bound', () => {
    const each = (index: number) => ({ hostname: `a${index}.example`, userId: `user ${index}` });
    expect(fill(slotsOf(), each)).to.deep.equal({ given: 8, bound: 'worker' });
  });

  const SAME: [string, string][] = [
    ['a.slow.example', 'b.c.slow.example'],
    ['slow.co.uk', 'hooks.slow.co.uk'],
    ['127.0.0.1', '127.0.0.1'],
    ['[2001:db8::1]', '[2001:db8::1]'],
  ];
  for (const [one, other] of SAME) {
    it(`count ${one} and ${other} as one receiver`, () => {
      const names = [one, other];
      const claims = fill(slotsOf(), (index) => ({ hostname: names[index % 2] ?? '', userId: `user ${index}` }));
      expect(claims).to.deep.equal({ given: 2, bound: 'host' });
    });
  }

  const DIFFERENT: [string, string][] = [
    ['one.co.uk', 'two.co.uk'],
    ['one.github.io', 'two.github.io'],
    ['127.0.0.1', '127.0.0.2'],
  ];
  for (const [one, other] of DIFFERENT) {
    it(`count ${one} and ${other} as two receivers`, () => {
      const slots = slotsOf({ perHost: 1 });
      expect(slots.claim({ hostname: one, userId: 'a' })).to.be.a('function');
      expect(slots.claim({ hostname: other, userId: 'b' })).to.be.a('function');
    });
  }

  it('go to the next one when they are freed', () => {
    const slots = slotsOf({ perHost: 1 });
    const attempt = { hostname: 'a.example', userId: 'a' };
    for (let i = 0; i < 3; i++) {
      const free = slots.claim(attempt);
      expect(slots.claim(attempt)).to.equal('host');
      (free as () => void)();
    }
  });

  describe('call those that were refused', () => {
    const called: string[] = [];
    const calling = () => {
      called.length = 0;
      return createWebhookSlots({ total: 8, perHost: 1, perUser: 2 }, (workflowId) => called.push(workflowId));
    };
    const to = (hostname: string, workflowId: string) => ({ hostname, userId: 'a', workflowId });

    it('one for each slot that is freed, the first to be refused first', () => {
      const slots = calling();
      const free = slots.claim(to('slow.example', 'first')) as () => void;
      for (const name of ['second', 'third', 'second']) {
        expect(slots.claim(to('slow.example', name))).to.equal('host');
      }
      free();
      expect(called).to.deep.equal(['second']);
      (slots.claim(to('slow.example', 'second')) as () => void)();
      expect(called).to.deep.equal(['second', 'third']);
    });

    it('and none for which there is no room yet', () => {
      const slots = calling();
      slots.claim(to('slow.example', 'first'));
      expect(slots.claim(to('slow.example', 'second'))).to.equal('host');
      const free = slots.claim(to('well.example', 'third')) as () => void;
      expect(slots.claim(to('other.example', 'fourth'))).to.equal('user');
      free();
      expect(called).to.deep.equal(['fourth']);
    });

    it('and nobody who came by without a call', () => {
      const slots = calling();
      const free = slots.claim(to('slow.example', 'first')) as () => void;
      slots.claim(to('slow.example', 'second'));
      free();
      (slots.claim(to('slow.example', 'second')) as () => void)();
      expect(called).to.deep.equal(['second']);
    });
  });

  it('leave half to others whatever the settings say', () => {
    const slots = slotsOf({ total: 4, perHost: 100, perUser: 100 });
    expect(fill(slots, () => ({ hostname: 'slow.example', userId: 'a' }))).to.deep.equal({ given: 2, bound: 'user' });
    expect(fill(slots, () => ({ hostname: 'well.example', userId: 'b' }))).to.deep.equal({ given: 2, bound: 'worker' });
  });
});
