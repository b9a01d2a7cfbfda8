/** The releases of workers that Temporal knows. docs/operations.md, "Releases" */
import { DEPLOYMENT } from '../../contract/workflows.ts';
import { isNotFound, type TemporalCaller } from './connect.ts';

/** Returns what Temporal knows about the releases; undefined before the first worker with a release has polled. */
export const findDeployment = ({ connection, namespace }: Pick<TemporalCaller, 'connection' | 'namespace'>) =>
  ifFound(connection.workflowService.describeWorkerDeployment({ namespace, deploymentName: DEPLOYMENT }));

export type Deployment = NonNullable<Awaited<ReturnType<typeof findDeployment>>>;

/** Returns the release that receives new workflows; undefined: none. */
export const currentBuildId = (deployment: Deployment | undefined) =>
  deployment?.workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId || undefined;

/** Returns undefined if Temporal has no such release, because no worker of it has polled yet. */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
