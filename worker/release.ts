/** Makes a release of the workers current, and says how far the former ones are. docs/operations.md, "Releases" */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEPLOYMENT, TASK_QUEUE } from '../contract/workflows.ts';
import { StartError } from '../runtime/process.ts';
import type { Temporal } from '../runtime/temporal/connect.ts';

/** temporal.api.enums.v1.TaskQueueType: workflow and activity. */
const QUEUE_TYPES = [1, 2];
/** temporal.api.enums.v1.WorkerDeploymentVersionStatus */
const STATUSES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'] as const;
const POLL_MS = 500;

export interface ReleaseState {
  buildId: string;
  status: (typeof STATUSES)[number];
  /** Runs that only workers of this release can go on with. */
  openRuns: number;
}

/**
 * Waits until workers of the release ask for both kinds of tasks, and has new runs go to them. Returns the build id that
 * was current before; undefined: there was none. Two releases at once cannot cross: the later one fails.
 */
export async function makeCurrent(
  temporal: Temporal,
  buildId: string,
  timeoutMs = 60_000,
): Promise<string | undefined> {
  const { connection, namespace } = temporal;
  for (const deadline = Date.now() + timeoutMs; !(await asksForWork(temporal, buildId)); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new StartError(`No worker of the release ${buildId} asks Temporal for work.`);
  }
  const deployment = { namespace, deploymentName: DEPLOYMENT };
  const { conflictToken } = await connection.workflowService.describeWorkerDeployment(deployment);
  const { previousDeploymentVersion } = await connection.workflowService.setWorkerDeploymentCurrentVersion({
    ...deployment,
    buildId,
    identity: 'release',
    ...(conflictToken && { conflictToken }),
  });
  return previousDeploymentVersion?.buildId || undefined;
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
