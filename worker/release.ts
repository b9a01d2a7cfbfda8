/** Makes a release of the workers current and lists the releases. docs/operations.md, "Releases" */
import { WorkerModel } from '../db/models/worker.ts';
import { DEPLOYMENT, TASK_QUEUE, transcriptionQueueOf } from '../contract/workflows.ts';
import { StartError } from '../runtime/process/process.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { isTemporalUnavailable, type Temporal } from '../runtime/temporal/connect.ts';
import { currentBuildId, findDeployment, ifFound, type Deployment } from '../runtime/temporal/releases.ts';
import { waitUntilThere } from '../runtime/process/wait-until-there.ts';

/** Queues that a release's workers poll, with temporal.api.enums.v1.TaskQueueType: 1 for workflows, 2 for activities. */
const POLLED = [`${TASK_QUEUE} 1`, `${TASK_QUEUE} 2`, `${transcriptionQueueOf(TASK_QUEUE)} 2`];
/** temporal.api.enums.v1.WorkerDeploymentVersionStatus */
const STATUSES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'] as const;

interface ReleaseState {
  buildId: string;
  status: (typeof STATUSES)[number];
  /** Running workflows that only workers of this release can continue. */
  openRuns: number;
}

/**
 * Waits until workers of the release poll all their queues, and routes new runs to them. Returns the build ID that was
 * current before, or undefined. If two releases run at once, the later one fails. Retries calls that Temporal does not
 * answer. Throws `StartError` on timeout.
 */
export async function makeCurrent(
  { temporal, log }: { temporal: Temporal; log: Log },
  buildId: string,
  timeoutMs = 60_000,
): Promise<string | undefined> {
  const { namespace, connection } = temporal;
  const signal = AbortSignal.timeout(timeoutMs);
  let missing = '';
  let before: Deployment | undefined;
  const findMissing = async () => {
    try {
      missing = `workers of the release ${buildId} to poll Temporal`;
      const { releases } = await WorkerModel.count();
      if (!releases.includes(buildId) || !(await isPolling(temporal, buildId))) return missing;
      missing = `Temporal to make ${buildId} current`;
      const deployment = await findDeployment(temporal);
      if (!deployment) return missing;
      before ??= deployment;
      // An earlier try may have succeeded without a response.
      if (currentBuildId(deployment) === buildId) return undefined;
      const release = { namespace, deploymentName: DEPLOYMENT, buildId, identity: 'release' };
      const { conflictToken } = before;
      await connection.workflowService.setWorkerDeploymentCurrentVersion({
        ...release,
        ...(conflictToken && { conflictToken }),
      });
      return undefined;
    } catch (error) {
      if (!isTemporalUnavailable(error)) throw error;
      return missing;
    }
  };
  await waitUntilThere(log, findMissing, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new StartError(`Stopped after waiting ${timeoutMs / 1_000} s for ${missing}.`);
  });
  return currentBuildId(before);
}

/** Returns whether workers of the release have polled each of their queues. They register one by one. Temporal knows dead ones, too. */
async function isPolling({ connection, namespace }: Temporal, buildId: string): Promise<boolean> {
  const deploymentVersion = { deploymentName: DEPLOYMENT, buildId };
  const version = await ifFound(
    connection.workflowService.describeWorkerDeploymentVersion({ namespace, deploymentVersion }),
  );
  const infos = version?.workerDeploymentVersionInfo?.taskQueueInfos ?? [];
  const polled = new Set(infos.map(({ name, type }) => `${name} ${Number(type)}`));
  return POLLED.every((queue) => polled.has(queue));
}

/** Returns the releases, newest first. */
export async function listReleases(temporal: Temporal): Promise<ReleaseState[]> {
  const deployment = await findDeployment(temporal);
  const versions = deployment?.workerDeploymentInfo?.versionSummaries ?? [];
  return Promise.all(
    versions.map(async ({ deploymentVersion, status }) => {
      const buildId = deploymentVersion?.buildId ?? '';
      const { count: openRuns } = await temporal.client.workflow.count(
        `TemporalWorkerDeploymentVersion = "${DEPLOYMENT}:${buildId}" AND ExecutionStatus = "Running"`,
      );
      return { buildId, status: STATUSES[status ?? 0] ?? 'unknown', openRuns };
    }),
  );
}
