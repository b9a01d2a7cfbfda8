/** Deletes PostgreSQL's data directory and restores a copy. */
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLUSTER } from '../../local/postgres.ts';
import type { ReceivedRequest } from '../support/receiver.ts';
import type { Installation } from './installation.ts';
import { judge, readSessions, sessionOf, type SessionRow } from './judge.ts';
import { startLoad } from './load.ts';
import { BEFORE_MS, untilDone, type Phase, type PhaseOptions } from './run-phase.ts';

/**
 * Under load, stops PostgreSQL, copies its data directory (which contains all databases) and starts it again. After a while, kills
 * everything and replaces the data directory with the copy. Checks the sessions that were accepted before the copy.
 */
export async function restoreUnderLoad(installation: Installation, options: PhaseOptions): Promise<Phase> {
  const { proxy, receiver, database, settings } = installation;
  const cluster = join(settings.directory, CLUSTER);
  const copy = `${cluster}.copy`;
  const began = new Date();
  const firstPost = receiver.requests.length;
  const load = startLoad(proxy.url, options.users, options.rate);
  await sleep(BEFORE_MS);
  const acceptedBefore = new Set(load.accepted());
  await installation.postgres.stop();
  execFileSync('cp', ['-a', cluster, copy]);
  await installation.postgres.start();
  await sleep(options.seconds * 1_000);
  const submissions = await load.stop();

  await killAll(installation);
  rmSync(cluster, { recursive: true });
  renameSync(copy, cluster);
  await installation.postgres.start();
  const delivered = await readDelivered(installation);
  const restored = new Date();
  await installation.temporal.start();
  await Promise.all([...installation.workers, ...installation.apis].map((part) => part.start()));
  const recoveryS = await untilDone(database, restored);

  const ours = ({ id }: SessionRow) => acceptedBefore.has(id);
  const findings = judge({
    submissions: submissions.filter(({ sessionId }) => sessionId !== undefined && acceptedBefore.has(sessionId)),
    sessions: (await readSessions(database, began)).filter(ours),
    posts: onceUnless(delivered, receiver.requests.slice(firstPost)),
    paidCalls: null,
  });
  return { title: `data lost ${options.seconds} s after a copy under load, copy restored`, ...findings, recoveryS };
}

async function killAll({ apis, workers, temporal, postgres }: Installation): Promise<void> {
  await Promise.all([...apis, ...workers, temporal, postgres].map((part) => part.kill()));
}

/** Returns the sessions whose delivery the copy records as delivered. */
async function readDelivered({ database }: Installation): Promise<Set<string>> {
  const { rows } = await database.query<{ session_id: string }>(
    "select session_id from deliveries where status = 'delivered' and session_id is not null",
  );
  return new Set(rows.map(({ session_id }) => session_id));
}

/** Returns the posts. Drops repeated posts of sessions whose delivery the copy does not contain: they must be sent again. */
function onceUnless(delivered: ReadonlySet<string>, posts: readonly ReceivedRequest[]): ReceivedRequest[] {
  const seen = new Set<string>();
  return posts.filter((post) => {
    const id = sessionOf(post);
    const isFirst = !seen.has(id);
    seen.add(id);
    return isFirst || delivered.has(id);
  });
}
