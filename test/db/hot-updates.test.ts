import { beginStep, finishSession } from '../../db/queries/session-status.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createOwner, createSession } from '../support/factories.ts';

const SESSIONS = 100;

interface Updates {
  updates: number;
  hot: number;
}

async function readUpdates(): Promise<Updates> {
  const { rows } = await testDatabase().db.raw<{ rows: [Updates] }>(
    `select n_tup_upd as updates, n_tup_hot_upd as hot, pg_stat_force_next_flush()
     from pg_stat_user_tables where relname = 'sessions'`,
  );
  return rows[0];
}

describe('The table of sessions', () => {
  it('is updated without its indexes when a step starts (HOT update), which makes half of all updates cheap', async () => {
    const { assistant } = await createOwner();
    const measure = async () => {
      const before = await readUpdates();
      for (let count = 0; count < SESSIONS; count += 1) {
        const { id } = await createSession(assistant);
        expect(await beginStep(id, 'analysis')).not.to.equal(undefined);
        const end = { status: 'completed', summary_text: 's', raw_response: {}, temperature_applied: null } as const;
        await finishSession(id, end);
      }
      const after = await eventually(readUpdates, ({ updates }) => updates >= before.updates + 2 * SESSIONS);
      return (after.hot - before.hot) / (after.updates - before.updates);
    };
    // Updates of other tests, at the same time, lower the share.
    await eventually(measure, (share) => share >= 0.45);
  });
});
