import { serverNow, setServerTime } from '../../console/src/format/clock.ts';

const SECOND_MS = 1_000;
const respond = (aheadMs: number, sentMsAgo: number) => {
  const now = Date.now();
  setServerTime(new Date(now + aheadMs).toUTCString(), now - sentMsAgo);
  return serverNow() - now;
};

describe("The console's clock", () => {
  it('is not set back by a slow response, and follows a server whose clock differs', () => {
    expect(respond(-2 * SECOND_MS, 3 * SECOND_MS)).to.be.within(0, 100);
    expect(respond(60 * SECOND_MS, 0)).to.be.within(59 * SECOND_MS, 60.1 * SECOND_MS);
    expect(respond(-60 * SECOND_MS, 0)).to.be.within(-61 * SECOND_MS, -57.9 * SECOND_MS);
  });
});
