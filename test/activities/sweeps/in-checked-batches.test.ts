import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import { inCheckedBatches } from '../../../activities/sweeps/in-checked-batches.ts';
import { recordedLog, silentLog } from '../../support/log.ts';

/** Rows that wait to be looked at, as a table holds them. */
function rowsOf(count: number) {
  const waiting = new Map(Array.from({ length: count }, (_, index) => [`row ${index}`, { id: `row ${index}` }]));
  return {
    waiting,
    find: async (limit: number) => [...waiting.values()].slice(0, limit),
    setChecked: async ({ id }: { id: string }) => waiting.delete(id),
  };
}

describe('A sweep', () => {
  it('looks at every row once, however many there are, and at few of them at once', async () => {
    const checked: string[] = [];
    let atOnce = 0;
    let most = 0;
    const check = async ({ id }: { id: string }) => {
      most = Math.max(most, ++atOnce);
      await settled();
      atOnce -= 1;
      checked.push(id);
    };
    await inCheckedBatches({ ...rowsOf(1_201), check, log: silentLog });
    expect([checked.length, new Set(checked).size]).to.deep.equal([1_201, 1_201]);
    expect(most).to.equal(10);
  });

  it('passes over a row that cannot be checked, and says which', async () => {
    const { waiting, ...rows } = rowsOf(3);
    const { log, text } = recordedLog();
    const checked: string[] = [];
    const check = async ({ id }: { id: string }) => {
      if (id === 'row 0') throw new Error('broken');
      checked.push(id);
    };
    await inCheckedBatches({ ...rows, check, log });
    expect(checked).to.deep.equal(['row 1', 'row 2']);
    expect(waiting.size).to.equal(0);
    expect(text()).to.contain('row 0');
  });

  it('ends where PostgreSQL or Temporal is away, and leaves what it did not look at to the next one', async () => {
    for (const away of [{ code: 'ECONNREFUSED' }, { name: 'TemporalTimeoutError', code: 14 }]) {
      const { waiting, ...rows } = rowsOf(30);
      const failure = await inCheckedBatches({
        ...rows,
        check: () => Promise.reject(Object.assign(new Error('away'), away, { details: '', metadata: {} })),
        log: silentLog,
      }).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      expect(waiting.size).to.equal(30);
    }
  });
});
