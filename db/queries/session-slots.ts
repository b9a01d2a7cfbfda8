/** Which of a user's sessions may be in flight: docs/decisions.md, "Sessions in flight". */
import type { SessionStatus } from '../../contract/constants.ts';
import { SessionModel } from '../models/session.ts';

/**
 * Moves an unfinished session to `status` and returns it. Returns undefined if it has ended or is gone, or if it must
 * wait: of its owner's sessions, the `maxInFlight` oldest that are not finished may be in flight.
 */
export async function claimSlot(
  id: string,
  status: SessionStatus,
  maxInFlight: number,
): Promise<SessionModel | undefined> {
  const claim = async () => {
    const values = [id, status, maxInFlight];
    const { rows } = await SessionModel.knex().raw<{ rows: object[] }>('select * from claim_slot(?, ?, ?)', values);
    return rows[0] && SessionModel.fromDatabaseJson(rows[0]);
  };
  // The second time it is on record that this one waits: who ended in between did not see it.
  return (await claim()) ?? (await claim());
}

/**
 * Takes the sessions to wake: those that wait for a slot and may have one. Each is returned to one caller only, until
 * it asks again; after 10 s to another one, in case its call was lost. @param userId undefined: of all users.
 */
export async function takeWakeable(maxInFlight: number, userId?: string): Promise<string[]> {
  const { rows } = await SessionModel.knex().raw<{ rows: { id: string }[] }>(
    `with owners as materialized (
       select distinct user_id as id from sessions
       where waiting_for_slot and status = 'queued' ${userId === undefined ? '' : 'and user_id = :userId'}),
     wakeable as (select id from sessions
       where id in (select startable_sessions(owners.id, :maxInFlight) from owners)
         and waiting_for_slot and status = 'queued'
         and (woken_at is null or woken_at < now() - interval '10 seconds')
       -- Who is locked is asking, or is being woken.
       order by id for update skip locked)
     update sessions set woken_at = now(), check_after = now() + interval '1 minute'
     from wakeable where sessions.id = wakeable.id returning sessions.id`,
    { maxInFlight, ...(userId !== undefined && { userId }) },
  );
  return rows.map(({ id }) => id);
}
