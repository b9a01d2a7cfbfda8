import { setImmediate as settled } from 'node:timers/promises';
import { checkOverdue } from '../../../activities/sweeps/sweep-rows.ts';
import { recordedLog, silentLog } from '../../support/log.ts';

/** A table of rows to check. */
function rowsOf(count: number) {
  const waiting = new Map(Array.from({ length: count }, (_, index) => [`row ${index}`, { id: `row ${index}` }]));
  return {
    waiting,
    findOverdue: async (limit: number) => [...waiting.values()].slice(0, limit),
    setChecked: async (id: string) => waiting.delete(id),
  };
}

describe('A sweep', () => {
  it('checks every row once, and ten rows at a time', async () => {
    const checked: string[] = [];
    let atOnce = 0;
    let most = 0;
    const check = async ({ id }: { id: string }) => {
      most = Math.max(most, ++atOnce);
      await settled();
      atOnce -= 1;
      checked.push(id);
    };
    await checkOverdue(rowsOf(1_201), check, silentLog);
    expect([checked.length, new Set(checked).size]).to.deep.equal([1_201, 1_201]);
    expect(most).to.equal(10);
  });

  it('skips a row that cannot be checked, and logs its ID', async () => {
    const { waiting, ...rows } = rowsOf(3);
    const { log, text } = recordedLog();
    const checked: string[] = [];
    const check = async ({ id }: { id: string }) => {
      if (id === 'row 0') throw new Error('broken');
      checked.push(id);
    };
    await checkOverdue(rows, check, log);
    expect(checked).to.deep.equal(['row 1', 'row 2']);
    expect(waiting.size).to.equal(0);
    expect(text()).to.contain('row 0');
  });

  it('ends if PostgreSQL or Temporal is unavailable, and leaves the rest to the next sweep', async () => {
    for (const away of [{ code: 'ECONNREFUSED' }, { name: 'TemporalTimeoutError', code: 14 }]) {
      const { waiting, ...rows } = rowsOf(30);
      const fail = () => Promise.reject(Object.assign(new Error('away'), away, { details: '', metadata: {} }));
      const failure = await checkOverdue(rows, fail, silentLog).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      expect(waiting.size).to.equal(30);
    }
  });
});
