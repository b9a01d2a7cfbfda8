/** Which of a user's sessions may be in flight: docs/decisions.md, "Sessions in flight". */
import type { SessionStatus } from '../../contract/constants.ts';
import { SessionModel } from '../models/session.ts';
import { runPrepared } from '../prepared.ts';

/** Joins the webhook that the result of `session` would be posted to now. */
const WITH_WEBHOOK = `left join lateral
  webhook_for(case when not session.trial then session.assistant_id end, session.batch_id, 'session.completed') on true`;

/**
 * Moves an unfinished session to `status` and returns it, with the webhook that its result would be posted to now. Returns undefined if
 * it has ended or is gone, or if it must wait: of its owner's sessions, the `maxInFlight` oldest that are not finished may
 * be in flight.
 */
export async function claimSlot(
  id: string,
  status: SessionStatus,
  maxInFlight: number,
): Promise<SessionModel | undefined> {
  const claim = () =>
    findOne(
      `select session.*, webhook_url, webhook_secret from claim_slot(:id, :status, :maxInFlight) session ${WITH_WEBHOOK}`,
      { id, status, maxInFlight },
    );
  // The second time it is on record that this one waits: who ended in between did not see it.
  return (await claim()) ?? (await claim());
}

/**
 * Returns an unfinished session as `claimSlot` does, and claims nothing. Returns undefined if it has ended or is gone, or
 * if its conversation has more than `maxBytes`.
 */
export function findUnfinished(id: string, maxBytes: number): Promise<SessionModel | undefined> {
  return findOne(
    `select session.*, webhook_url, webhook_secret from sessions session ${WITH_WEBHOOK}
     where session.id = :id and session.status in ('queued', 'transcribing', 'analyzing')
       and coalesce(octet_length(session.conversation::text), 0) <= :maxBytes`,
    { id, maxBytes },
  );
}

async function findOne(sql: string, bindings: Record<string, string | number>): Promise<SessionModel | undefined> {
  const [row] = await runPrepared<object>(sql, bindings);
  return row && SessionModel.fromDatabaseJson(row);
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
