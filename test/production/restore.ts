/** Everything is lost, and a copy that was taken under load is brought back. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyRunningCluster } from '../../local/backup/copy-cluster.ts';
import { CLUSTER, giveToServer } from '../../local/postgres.ts';
import type { ReceivedRequest } from '../support/receiver.ts';
import type { Installation } from './installation.ts';
import { judge, readSessions, sessionOf } from './judge.ts';
import type { SessionRow } from './judge.ts';
import { startLoad } from './load.ts';
import { BEFORE_MS, untilDone } from './run-phase.ts';
import type { Phase, PhaseOptions } from './run-phase.ts';

/**
 * Copies the one cluster that holds all databases, goes on for a while, removes it, and goes on with the copy. Judges
 * what was accepted before the copy was begun; what came later is gone with the cluster.
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
  await copyRunningCluster(cluster, copy, installation.adminUrl);
  await sleep(options.seconds * 1_000);
  const submissions = await load.stop();

  await killAll(installation);
  rmSync(cluster, { recursive: true });
  renameSync(copy, cluster);
  giveToServer(cluster);
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
  return { title: `all lost ${options.seconds} s after a copy under load, the copy restored`, ...findings, recoveryS };
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

/** Returns the posts without the later ones of a session whose success came after the copy: it is to be posted again. */
function onceUnless(delivered: ReadonlySet<string>, posts: readonly ReceivedRequest[]): ReceivedRequest[] {
  const seen = new Set<string>();
  return posts.filter((post) => {
    const id = sessionOf(post);
    const isFirst = !seen.has(id);
    seen.add(id);
    return isFirst || delivered.has(id);
  });
}
