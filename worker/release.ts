/** Makes a release of the workers current, and says how far the former ones are. docs/operations.md, "Releases" */
import { DEPLOYMENT, TASK_QUEUE } from '../contract/workflows.ts';
import { StartError } from '../runtime/process.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { isTemporalUnavailable } from '../runtime/temporal/connect.ts';
import type { Temporal } from '../runtime/temporal/connect.ts';
import { waitUntilThere } from '../runtime/wait-until-there.ts';

/** temporal.api.enums.v1.TaskQueueType: workflow and activity. */
const QUEUE_TYPES = [1, 2];
/** temporal.api.enums.v1.WorkerDeploymentVersionStatus */
const STATUSES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'] as const;

export interface ReleaseState {
  buildId: string;
  status: (typeof STATUSES)[number];
  /** Runs that only workers of this release can go on with. */
  openRuns: number;
}

export interface ReleaseParts {
  temporal: Temporal;
  /** Hears what is waited for. */
  log: Log;
}

/**
 * Waits until workers of the release ask for both kinds of tasks, and has new runs go to them. Returns the build id that
 * was current before; undefined: there was none. Two releases at once cannot cross: the later one fails. A call that
 * Temporal does not answer is made again. Throws `StartError` when the time is over.
 */
export async function makeCurrent(
  { temporal, log }: ReleaseParts,
  buildId: string,
  timeoutMs = 60_000,
): Promise<string | undefined> {
  const { workflowService } = temporal.connection;
  const deployment = { namespace: temporal.namespace, deploymentName: DEPLOYMENT };
  const wait = { log, timeoutMs, signal: AbortSignal.timeout(timeoutMs) };
  await insist(wait, `workers of the release ${buildId}, to ask Temporal for work`, async () =>
    (await asksForWork(temporal, buildId)) ? true : undefined,
  );
  const { conflictToken, workerDeploymentInfo: before } = await insist(wait, 'what Temporal knows of releases', () =>
    workflowService.describeWorkerDeployment(deployment),
  );
  const currentBuildId = (info: typeof before) => info?.routingConfig?.currentDeploymentVersion?.buildId || undefined;
  await insist(wait, `Temporal to make ${buildId} current`, async () => {
    // An earlier try may have done it although nobody heard so.
    const { workerDeploymentInfo: now } = await workflowService.describeWorkerDeployment(deployment);
    if (currentBuildId(now) === buildId) return true;
    await workflowService.setWorkerDeploymentCurrentVersion({
      ...deployment,
      buildId,
      identity: 'release',
      ...(conflictToken && { conflictToken }),
    });
    return true;
  });
  return currentBuildId(before);
}

interface Wait {
  log: Log;
  timeoutMs: number;
  /** Is aborted when the time is over. */
  signal: AbortSignal;
}

/** Repeats a step until it returns something, also while Temporal does not answer, and says what it waits for. */
async function insist<T>(
  { log, timeoutMs, signal }: Wait,
  what: string,
  step: () => Promise<T | undefined>,
): Promise<T> {
  let result: T | undefined;
  const findMissing = async () => {
    try {
      result = await step();
    } catch (error) {
      if (!isTemporalUnavailable(error)) throw error;
    }
    return result === undefined ? what : undefined;
  };
  await waitUntilThere(log, findMissing, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new StartError(`Gave up after ${timeoutMs / 1_000} s of waiting for ${what}.`);
  });
  return result as T;
}

/** Returns whether workers of the release have registered for workflows and for activities, which they do one by one. */
async function asksForWork({ connection, namespace }: Temporal, buildId: string): Promise<boolean> {
  const deploymentVersion = { deploymentName: DEPLOYMENT, buildId };
  const version = await ifKnown(
    connection.workflowService.describeWorkerDeploymentVersion({ namespace, deploymentVersion }),
  );
  const ours = (version?.workerDeploymentVersionInfo?.taskQueueInfos ?? [])
    .filter(({ name }) => name === TASK_QUEUE)
    .map(({ type }) => Number(type));
  return QUEUE_TYPES.every((type) => ours.includes(type));
}

/** Returns the releases that Temporal knows, the newest first. */
export async function listReleases({ connection, client, namespace }: Temporal): Promise<ReleaseState[]> {
  const deployment = await ifKnown(
    connection.workflowService.describeWorkerDeployment({ namespace, deploymentName: DEPLOYMENT }),
  );
  const versions = deployment?.workerDeploymentInfo?.versionSummaries ?? [];
  return Promise.all(
    versions.map(async ({ deploymentVersion, status }) => {
      const buildId = deploymentVersion?.buildId ?? '';
      const { count: openRuns } = await client.workflow.count(
        `TemporalWorkerDeploymentVersion = "${DEPLOYMENT}:${buildId}" AND ExecutionStatus = "Running"`,
      );
      return { buildId, status: STATUSES[status ?? 0] ?? 'unknown', openRuns };
    }),
  );
}

/** gRPC's NOT_FOUND. */
const NOT_FOUND = 5;

/** Returns undefined where Temporal knows no such release: no worker of it has asked for work yet. */
async function ifKnown<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && (error as { code?: unknown }).code === NOT_FOUND) return undefined;
    throw error;
  }
}
