import { expect } from 'chai';
import { loadOnce } from '../../../activities/vendors/load-once.ts';

describe('What is loaded once', () => {
  it('is the same for all who ask, also at the same moment', async () => {
    let loads = 0;
    const load = loadOnce(async () => ++loads);
    expect(await Promise.all([load(), load()])).to.deep.equal([1, 1]);
    expect(await load()).to.equal(1);
  });

  it('is loaded again after a load that failed', async () => {
    let loads = 0;
    const load = loadOnce(async () => {
      if (++loads === 1) throw new Error('too many open files');
      return loads;
    });
    await load().then(
      () => expect.fail('the first load succeeded'),
      () => undefined,
    );
    expect(await load()).to.equal(2);
  });
});
