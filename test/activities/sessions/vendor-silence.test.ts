import { expect } from 'chai';
import { createVendorSilence } from '../../../activities/sessions/vendor-silence.ts';

describe('Whether a vendor answers nobody', () => {
  let at: number;
  const start = () => {
    at = 0;
    const silence = createVendorSilence(() => at);
    const fail = (...sessions: string[]) => sessions.forEach((id) => silence.note('openai', id, 'unavailable'));
    return { silence, fail };
  };

  it('shows after five sessions, and not after five calls of one', () => {
    const { silence, fail } = start();
    fail('a', 'b', 'c', 'd', 'd', 'd');
    expect(silence.isSilent('openai')).to.equal(false);
    fail('e', 'f');
    expect(silence.isSilent('openai')).to.equal(true);
    expect(silence.isSilent('anthropic')).to.equal(false);
  });

  it('is over with an answer, a refusal too', () => {
    const { silence, fail } = start();
    for (const fault of [undefined, 'bad_input', 'rate_limited'] as const) {
      fail('a', 'b', 'c', 'd', 'e');
      silence.note('openai', 'a', fault);
      expect(silence.isSilent('openai')).to.equal(false);
      fail('a', 'b', 'c', 'd');
      expect(silence.isSilent('openai'), 'it is counted anew').to.equal(false);
    }
  });

  it('is forgotten after a minute in which nobody asked', () => {
    const { silence, fail } = start();
    fail('a', 'b', 'c', 'd', 'e');
    at = 60_001;
    expect(silence.isSilent('openai')).to.equal(false);
    fail('f');
    expect(silence.isSilent('openai')).to.equal(false);
  });
});
