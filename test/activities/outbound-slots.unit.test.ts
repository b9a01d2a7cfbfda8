import { createOutboundSlots, type OutboundSlots } from '../../activities/outbound-slots.ts';

describe('The slots for requests to hosts of users', () => {
  /** Of 40 slots, one receiver gets 2 and one owner 10. */
  const slotsOf = (total = 40) => createOutboundSlots(total, 0.05);

  /** Claims until a refusal. Returns the number of slots and the limit that was reached. */
  function fill(slots: OutboundSlots, claim: (index: number) => { hostname: string; payer: string }) {
    for (let given = 0; ; given++) {
      const answer = slots.claim(claim(given));
      if (typeof answer === 'string') return { given, bound: answer };
    }
  }

  it('give one receiver its share, and keep the rest for others', () => {
    const slots = slotsOf();
    const to = (hostname: string) => (index: number) => ({ hostname, payer: `owner ${index}` });
    expect(fill(slots, to('slow.example'))).to.deep.equal({ given: 2, bound: 'host' });
    expect(slots.claim({ hostname: 'well.example', payer: 'other' })).to.be.a('function');
  });

  it('give one owner a share for all its receivers', () => {
    const slots = slotsOf();
    const of = (payer: string) => (index: number) => ({ hostname: `${payer}${index}.example`, payer });
    expect(fill(slots, of('busy'))).to.deep.equal({ given: 10, bound: 'owner' });
    expect(fill(slots, of('other'))).to.deep.equal({ given: 10, bound: 'owner' });
  });

  it('limit all owners together', () => {
    const each = (index: number) => ({ hostname: `a${index}.example`, payer: `owner ${index}` });
    expect(fill(slotsOf(), each)).to.deep.equal({ given: 40, bound: 'worker' });
  });

  it('reserve a tenth for owners that use none', () => {
    const slots = slotsOf(40);
    const busy = (index: number) => ({ hostname: `a${index}.example`, payer: `busy ${index % 4}` });
    expect(fill(slots, busy)).to.deep.equal({ given: 36, bound: 'worker' });
    const others = (index: number) => ({ hostname: `b${index}.example`, payer: `other ${index}` });
    expect(fill(slots, others)).to.deep.equal({ given: 4, bound: 'worker' });
  });

  for (const [one, other, given] of [
    ['a.slow.example', 'b.c.slow.example', 2],
    ['slow.co.uk', 'hooks.slow.co.uk', 2],
    ['127.0.0.1', '127.0.0.1', 2],
    ['[2001:db8::1]', '[2001:db8::1]', 2],
    ['one.co.uk', 'two.co.uk', 4],
    ['one.github.io', 'two.github.io', 4],
    ['127.0.0.1', '127.0.0.2', 4],
  ] as const) {
    it(`count ${one} and ${other} as ${given === 2 ? 'one receiver' : 'two receivers'}`, () => {
      const claim = (index: number) => ({ hostname: [one, other][index % 2]!, payer: `owner ${index}` });
      expect(fill(slotsOf(), claim)).to.deep.equal({ given, bound: 'host' });
    });
  }

  it('can be claimed again after they are freed', () => {
    const slots = slotsOf(20);
    const attempt = { hostname: 'a.example', payer: 'a' };
    for (let i = 0; i < 3; i++) {
      const free = slots.claim(attempt);
      expect(slots.claim(attempt)).to.equal('host');
      (free as () => void)();
    }
  });
});
