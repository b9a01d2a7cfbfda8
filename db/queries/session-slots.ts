/** Which of a user's sessions may be in flight: docs/decisions.md, "Sessions in flight". */
import type { SessionStatus } from '../../contract/constants.ts';
import { SessionModel } from '../models/session.ts';
import { runPrepared } from '../prepared.ts';

/**
 * Moves an unfinished session to `status` and returns it, with the webhook that its result would be posted to now. Returns undefined if
 * it has ended or is gone, or if it must wait: of its owner's sessions, the `maxInFlight` oldest that are not finished may
 * be in flight. Nothing happens to one whose conversation has more than `maxBytes`.
 */
export async function claimSlot(
  id: string,
  status: SessionStatus,
  maxInFlight: number,
  maxBytes?: number,
): Promise<SessionModel | undefined> {
  const isSmall = maxBytes === undefined ? '' : 'and coalesce(octet_length(asked.conversation::text), 0) <= :maxBytes';
  const claim = async () => {
    const [row] = await runPrepared<object>(
      `select claimed.*, webhook_url, webhook_secret
       from sessions asked cross join lateral claim_slot(asked.id, :status, :maxInFlight) claimed
       left join lateral webhook_for(case when not claimed.trial then claimed.assistant_id end, claimed.batch_id, 'session.completed') on true
       where asked.id = :id ${isSmall}`,
      { id, status, maxInFlight, ...(maxBytes !== undefined && { maxBytes }) },
    );
    return row && SessionModel.fromDatabaseJson(row);
  };
  // The second time it is on record that this one waits: who ended in between did not see it.
  return (await claim()) ?? (await claim());
}

/**
 * Takes the sessions to wake: those that wait for a slot and may have one. Each is returned to one caller only, until
 * it asks again; after 10 s to another one, in case its call was lost. @param userId undefined: of all users.
 */
export async function takeWakeable(maxInFlight: number, userId?: string): Promise<string[]> {
  const owners =
    userId === undefined
      ? `(select distinct user_id from sessions where waiting_for_slot and status = 'queued')`
      : '(values (:userId))';
  const { rows } = await SessionModel.knex().raw<{ rows: { id: string }[] }>(
    `select take_wakeable(owner, :maxInFlight) as id from ${owners} as owners (owner)`,
    { maxInFlight, ...(userId !== undefined && { userId }) },
  );
  return rows.map(({ id }) => id);
}
