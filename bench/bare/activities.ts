import type { Knex } from 'knex';

export const BARE_CHANNEL = 'bare_finished';

export function createBareActivities(db: Knex) {
  return {
    async announce(id: string): Promise<void> {
      await db.raw('select pg_notify(?, ?)', [BARE_CHANNEL, id]);
    },
    async doNothing(): Promise<void> {},
  };
}

export type BareActivities = ReturnType<typeof createBareActivities>;
