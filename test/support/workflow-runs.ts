/** Runs the real workflow code on a real server, over activities that a test makes up. */
import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { NativeConnection } from '@temporalio/worker';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.ts';
import { SEARCH_ATTRIBUTES } from '../../contract/workflows.ts';
import { loadWorkflowBundle } from '../../worker/workflow-bundle.ts';
import type { History } from './history.ts';
import { testTemporal } from './temporal.ts';
import { timeSkipping } from './time-skipping.ts';

let bundle: ReturnType<typeof loadWorkflowBundle> | undefined;

/** Built once for the run. */
export const workflowBundle = () => (bundle ??= loadWorkflowBundle());

/** Call it in a `before` without a time-out: the server and the bundle may take a while. */
export async function prepareWorkflowRuns(): Promise<void> {
  const { nativeConnection } = await timeSkipping();
  await Promise.all([registerSearchAttributes(nativeConnection), workflowBundle()]);
}

let registering: Promise<unknown> | undefined;

/** The test server can add search attributes but not list them, so the service's own way does not work on it. */
function registerSearchAttributes({ operatorService }: NativeConnection): Promise<unknown> {
  const keyword = 2; // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
  return (registering ??= operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, keyword])),
  }));
}

export interface WorkflowRun {
  id: string;
  history: History;
  /** COMPLETED, FAILED, CANCELLED … */
  status: string;
  /** What the workflow threw. */
  failure: unknown;
  result: unknown;
  /** As the Temporal UI shows them at the top. */
  details: string;
}

export interface WorkflowToRun {
  type: string;
  args?: unknown[];
  activities: Partial<Activities>;
  /**
   * `dev`: the dev server, where waits take their time. For the cancellation of a running activity, after which the
   * time-skipping server skips no more time for anybody.
   */
  server?: 'time-skipping' | 'dev';
  /** Bound of one run. */
  runTimeout?: '12 hours';
  /** Runs while the workflow does; time stands still until it returns. */
  meanwhile?: (handle: WorkflowHandle) => Promise<unknown>;
}

/** Runs a workflow to its end; waits of any length pass at once. */
export async function runWorkflow(options: WorkflowToRun): Promise<WorkflowRun> {
  const { type, args = [], activities, server = 'time-skipping', runTimeout, meanwhile } = options;
  const { client } = await connectTo(server);
  await (working[server] ??= startWorking(server));
  const id = randomUUID();
  activitiesOf.set(id, activities);
  try {
    const handle = await client.workflow.start(type, {
      ...{ workflowId: id, taskQueue: TASK_QUEUE, args },
      ...(runTimeout && { workflowRunTimeout: runTimeout }),
    });
    await meanwhile?.(handle);
    const end = await handle.result().then(
      (result: unknown) => ({ result, failure: undefined }),
      (error: unknown) => ({ result: undefined, failure: (error as Error).cause }),
    );
    const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    const { status } = await handle.describe();
    const history = await handle.fetchHistory();
    return { id, history, status: status.name, details: metadata.currentDetails ?? '', ...end };
  } finally {
    activitiesOf.delete(id);
  }
}

const TASK_QUEUE = 'workflow-runs';

/** What the runs under way call, by the ids of their workflows. */
const activitiesOf = new Map<string, Partial<Activities>>();

/** A worker on each server that was asked for; it serves all runs of this process, since its start costs more than a run. */
const working: Partial<Record<'time-skipping' | 'dev', Promise<void>>> = {};

async function startWorking(server: 'time-skipping' | 'dev'): Promise<void> {
  const { connection, namespace } = await connectTo(server);
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: await workflowBundle(),
    activities: { default: callActivityOfRun },
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
  });
  void worker.run();
}

/** Calls what the activity's own run has under its name. */
async function callActivityOfRun(input: unknown): Promise<unknown> {
  const { activityType, workflowExecution } = Context.current().info;
  const activities = activitiesOf.get(workflowExecution?.workflowId ?? '') as Record<string, Activity> | undefined;
  const call = activities?.[activityType];
  if (!call) throw ApplicationFailure.nonRetryable(`the run has no activity ${activityType}`);
  return call(input);
}

type Activity = (input: unknown) => Promise<unknown>;

/** For an activity that is to be interrupted: the run is canceled once the activity waits in `untilInterrupted`. */
export function cancelOnceRunning() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  return {
    /** Rejects as a canceled activity does. */
    async untilInterrupted(): Promise<never> {
      const context = Context.current();
      const heart = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      begin();
      return context.cancelled.finally(() => clearInterval(heart));
    },
    options: {
      server: 'dev',
      async meanwhile(handle) {
        await begun;
        await handle.cancel();
      },
    } satisfies Partial<WorkflowToRun>,
  };
}

/** An activity hears of its cancellation with a heartbeat. */
const HEARTBEAT_MS = 100;

async function connectTo(server: 'time-skipping' | 'dev') {
  if (server === 'dev') return (await testTemporal()).temporal;
  const { client, nativeConnection } = await timeSkipping();
  return { client, connection: nativeConnection, namespace: 'default' };
}
