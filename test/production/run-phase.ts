/** Runs one fault under load, with load before and after it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Say } from '../../local/fetch-once.ts';
import type { Fault } from './faults.ts';
import type { Installation } from './installation.ts';
import { judge, readSessions, type Findings } from './judge.ts';
import { startLoad, type LoadUser } from './load.ts';

/** Duration of the load before the fault. */
export const BEFORE_MS = 5_000;
const AFTER_MS = 5_000;
const POLL_MS = 250;
/** Sessions that are not finished this long after the fault count as lost. */
const RECOVERY_TIMEOUT_MS = 240_000;

export interface PhaseOptions {
  users: readonly LoadUser[];
  /** Conversations per second. */
  rate: number;
  /** Duration of the fault. */
  seconds: number;
  say: Say;
}

export type Phase = Findings & {
  title: string;
  /** Time from the end of the fault until all sessions accepted before were posted; null if it took over four minutes. */
  recoveryS: number | null;
};

export async function runPhase(installation: Installation, fault: Fault, options: PhaseOptions): Promise<Phase> {
  const { proxy, providers, receiver, database } = installation;
  const began = new Date();
  const [firstPost, paidBefore] = [receiver.requests.length, providers.successes()];
  const load = startLoad(proxy.url, options.users, options.rate);
  await sleep(BEFORE_MS);
  try {
    await fault.run(installation, options.seconds * 1_000);
  } catch (error) {
    void load.stop();
    throw error;
  }
  const recovering = untilDone(database, new Date());
  await sleep(AFTER_MS);
  const recoveryS = await recovering;
  const submissions = await load.stop();
  await untilDone(database, new Date());
  const findings = judge({
    submissions,
    sessions: await readSessions(database, began),
    posts: receiver.requests.slice(firstPost),
    paidCalls: providers.successes() - paidBefore,
  });
  return { title: fault.title.replace('{s}', String(options.seconds)), ...findings, recoveryS };
}

/** Returns the seconds until no session accepted before `until` is open; null after a timeout. */
export async function untilDone(database: pg.Pool, until: Date): Promise<number | null> {
  const started = Date.now();
  for (; Date.now() - started < RECOVERY_TIMEOUT_MS; await sleep(POLL_MS)) {
    if ((await countOpen(database, until)) === 0) return (Date.now() - started) / 1_000;
  }
  return null;
}

/** Returns how many sessions created before `until` have not ended or not been posted; infinity if the query fails. */
async function countOpen(database: pg.Pool, until: Date): Promise<number> {
  try {
    const { rows } = await database.query<{ open: number }>(
      `select count(*)::int as open from sessions where created_at <= $1 and (completed_at is null
         or exists (select from deliveries where session_id = sessions.id and status = 'pending'))`,
      [until],
    );
    return rows[0]?.open ?? Infinity;
  } catch {
    return Infinity;
  }
}
