import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { createTaskPool } from '../../../runtime/process/task-pool.ts';

const REPORT_PROCESS = new URL('data:text/javascript,export const run = () => process.pid');
const LIMITS = { processes: 1, perOwner: 1, maxHeapMb: 64, pauseMs: 0 };
const ADA = { owner: 'ada', cpuMs: 5_000 };

describe('Processes for tasks', () => {
  afterEach(() => mock.timers.reset());

  it('end a minute after their last task, not after an earlier one', async () => {
    const pool = createTaskPool(REPORT_PROCESS, LIMITS);
    const runTask = () => pool.run({}, ADA);
    mock.timers.enable({ apis: ['setTimeout'] });
    const first = await runTask();
    mock.timers.tick(59_000);
    expect(await runTask()).to.equal(first);
    mock.timers.tick(59_000);
    expect(await runTask()).to.equal(first);
    mock.timers.tick(61_000);
    expect(await runTask()).not.to.equal(first);
    await pool.stop();
  });

  it('do the next task in another process if the idle one has ended', async () => {
    const pool = createTaskPool(REPORT_PROCESS, LIMITS);
    const runTask = async () => (await pool.run({}, ADA)) as number;
    const first = await runTask();
    process.kill(first, 'SIGKILL');
    expect(await runTask()).not.to.equal(first);
    await pool.stop();
  });

  it('leave no listener on the signal of a request whose task has ended', async () => {
    const pool = createTaskPool(REPORT_PROCESS, LIMITS);
    const { signal } = new AbortController();
    await pool.run({}, { ...ADA, signal });
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
    await pool.stop();
  });
});
