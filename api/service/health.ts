/** `/healthz`: the process is running. `/readyz`: the service can complete requests. */
import type { Knex } from 'knex';
import type { Middleware } from 'koa';
import type { ReadinessProblem } from '../../contract/values/readiness.ts';
import { CHECK_WRITES, isDiskFull, isReadOnly } from '../../db/connect.ts';
import { isMigrated } from '../../db/migrate.ts';
import { WorkerModel } from '../../db/models/worker.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { reuseFor } from '../../runtime/reuse-for.ts';
import { callInTime, findNamespace, type TemporalCaller } from '../../runtime/temporal/connect.ts';
import { currentBuildId, findDeployment } from '../../runtime/temporal/releases.ts';
import type { DiskRoom } from '../../runtime/audio/disk-room.ts';
import { AudioMissingError, INSTALLATION_KEY, type AudioStore } from '../../runtime/audio/store.ts';
import { readQuery } from '../http/invoke.ts';

interface Missing {
  part: 'database' | 'temporal' | 'worker';
  problem: ReadinessProblem;
}

export interface Health {
  /** Returns what the service lacks to complete requests. */
  findMissing(): Promise<Missing[]>;
  /** Returns what is refused while other requests are served. */
  findWarnings(): Promise<ReadinessProblem[]>;
}

/**
 * Responds to the probes. `/readyz?exclude=temporal&exclude=worker` ignores these parts, for load balancers: without them
 * the API still serves requests that only read.
 */
export function healthRoutes(health: Health): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return void (await next());
    // Probes arrive every few seconds.
    ctx.state['isUnlogged'] = true;
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
      return;
    }
    const excluded = [readQuery(ctx.querystring)['exclude']].flat();
    const [missing, warnings] = await Promise.all([health.findMissing(), health.findWarnings()]);
    const problems = missing.filter(({ part }) => !excluded.includes(part)).map(({ problem }) => problem);
    ctx.status = problems.length === 0 ? 200 : 503;
    ctx.body = {
      ...(problems.length === 0 ? { status: 'ready' } : { status: 'not ready', problems }),
      ...(warnings.length > 0 && { warnings }),
    };
  };
}

const TEMPORAL_TIMEOUT_MS = 2_000;
/** Time for which a result is reused. */
const REUSE_MS = 1_000;
const STORE_TIMEOUT_MS = 2_000;
/** Longer, because S3 charges for requests. */
const STORE_REUSE_MS = 5_000;

/** Returns why none of the live workers, all of a release, gets new workflows; undefined also if Temporal does not respond. */
const findReleaseProblem = (temporal: TemporalCaller, live: (string | null)[]): Promise<ReadinessProblem | undefined> =>
  callInTime(temporal.connection, TEMPORAL_TIMEOUT_MS, () => findDeployment(temporal)).then(
    (deployment) => {
      const current = currentBuildId(deployment);
      if (current === undefined)
        return 'no release of the workers is current, so no session starts: run npm run release';
      return live.includes(current)
        ? undefined
        : 'no worker of the current release is running, so no session starts: start one, or run npm run release';
    },
    () => undefined,
  );

/** Returns whether the store gives the text that the first start wrote, and whether recordings can arrive. */
async function isStoreWorking(audio: AudioStore, log: Log): Promise<boolean> {
  const signal = AbortSignal.timeout(STORE_TIMEOUT_MS);
  try {
    await audio.findRoom();
    (await audio.open(INSTALLATION_KEY, { range: { start: 0, end: 0 }, signal })).destroy();
  } catch (err) {
    if (err instanceof AudioMissingError) return true;
    log.warn({ err }, 'the store of recordings does not work');
    return false;
  }
  return true;
}

interface ReadinessDeps {
  db: Knex;
  temporal: TemporalCaller;
  audio: AudioStore;
  diskRoom: Pick<DiskRoom, 'isFull'>;
  log: Log;
}

/** Checks that the database responds, accepts writes and is migrated, Temporal responds, and a worker is running that receives workflows. */
export function createReadiness({ db, temporal, audio, diskRoom, log }: ReadinessDeps): Health {
  const checkStore = reuseFor(STORE_REUSE_MS, () => isStoreWorking(audio, log));
  let logged = '';
  async function check(): Promise<Missing[]> {
    const [database, writes, namespace, workers] = await Promise.allSettled([
      isMigrated(db),
      db.raw(CHECK_WRITES),
      findNamespace(temporal, TEMPORAL_TIMEOUT_MS),
      WorkerModel.count(),
    ]);
    const missing: Missing[] = [];
    if (database.status === 'rejected') missing.push({ part: 'database', problem: 'the database does not respond' });
    else if (!database.value) missing.push({ part: 'database', problem: 'the database is not migrated' });
    else if (writes.status === 'rejected' && isReadOnly(writes.reason)) {
      missing.push({ part: 'database', problem: 'the database is read-only' });
    } else if (writes.status === 'rejected' && isDiskFull(writes.reason)) {
      missing.push({ part: 'database', problem: 'the disk of the database is full' });
    }
    if (namespace.status === 'rejected') missing.push({ part: 'temporal', problem: 'Temporal does not respond' });
    if (workers.status === 'fulfilled' && workers.value.alive === 0) {
      missing.push({ part: 'worker', problem: 'no worker is running' });
    }
    if (workers.status === 'fulfilled' && workers.value.alive > 0 && !workers.value.releases.includes(null)) {
      const problem = await findReleaseProblem(temporal, workers.value.releases);
      if (problem) missing.push({ part: 'worker', problem });
    }
    const problems = missing.map(({ problem }) => problem);
    if (problems.join() !== logged && problems.length > 0) log.warn({ problems }, 'not ready');
    if (logged !== '' && problems.length === 0) log.info('ready again');
    logged = problems.join();
    return missing;
  }

  return {
    findMissing: reuseFor(REUSE_MS, check),
    async findWarnings() {
      // Neither makes the API unready: text requests need no recordings, and deleting sessions makes room.
      if (!(await checkStore())) return ['the store of recordings does not work: uploads are refused'];
      const isFull = await diskRoom.isFull().catch(() => false);
      return isFull ? ['the disk for recordings is full: uploads are refused'] : [];
    },
  };
}
