import { Client, type ScheduleClientInterceptor } from '@temporalio/client';
import { ensureSchedulesInBackground, SCHEDULE_IDS } from '../../worker/schedules.ts';
import { eventually } from '../support/eventually.ts';
import { recordedLog } from '../support/log.ts';
import { createNamespace, testTemporal } from '../support/temporal.ts';

const RETRY_MS = 10;

describe('The schedules of the sweeps', () => {
  let connection: Awaited<ReturnType<typeof testTemporal>>['temporal']['connection'];
  before(async function () {
    this.timeout(0);
    const { temporal } = await testTemporal();
    ({ connection } = temporal);
    await createNamespace(temporal, 'schedules');
  });

  const clientWith = (create: NonNullable<ScheduleClientInterceptor['create']>) =>
    new Client({ connection, namespace: 'schedules', interceptors: { schedule: [{ create }] } });

  it('are created in the background after several failures', async () => {
    let failures = 0;
    const client = clientWith((input, next) => {
      if (failures === 3) return next(input);
      failures += 1;
      throw new Error('Failed to create schedule');
    });
    const { log, text } = recordedLog();
    const stop = ensureSchedulesInBackground({ client, log }, RETRY_MS);
    const findIds = async () => {
      const ids: string[] = [];
      for await (const { scheduleId } of client.schedule.list()) ids.push(scheduleId);
      return ids.sort();
    };
    expect(await eventually(findIds, (ids) => ids.length === SCHEDULE_IDS.length)).to.deep.equal(
      [...SCHEDULE_IDS].sort(),
    );
    expect(text().match(/could not create the schedules/g)).to.have.length(3);
    stop();
  });
});
