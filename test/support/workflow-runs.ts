/** Runs the real workflow code on a real Temporal server, with activities that a test provides. */
import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { Worker, type NativeConnection } from '@temporalio/worker';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.ts';
import { SEARCH_ATTRIBUTES, transcriptionQueueOf } from '../../contract/workflows.ts';
import { loadWorkflowBundle } from '../../worker/workflow-bundle.ts';
import type { History } from './history.ts';
import { testTemporal } from './temporal.ts';
import { timeSkipping } from './time-skipping.ts';

let bundle: ReturnType<typeof loadWorkflowBundle> | undefined;

/** Built once per run. */
export const workflowBundle = () => (bundle ??= loadWorkflowBundle());

/** Starts both servers and builds the bundle before the tests of a block. */
export function useWorkflowRuns(): void {
  before(async function () {
    this.timeout(0);
    const { nativeConnection } = await timeSkipping();
    await Promise.all([registerSearchAttributes(nativeConnection), workflowBundle(), testTemporal()]);
  });
}

let registering: Promise<unknown> | undefined;

/** Replaces the service's own function: the test server can add search attributes, but not list them. */
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
  /** The error of the workflow. */
  failure: unknown;
  result: unknown;
  /** The workflow's details in the Temporal UI. */
  details: string;
}

export interface WorkflowToRun {
  type: string;
  args?: unknown[];
  activities: Partial<Activities>;
  /**
   * `dev`: the dev server, on which timers take real time. For tests that cancel a running activity: after that, the time-skipping
   * server no longer skips time.
   */
  server?: Server;
  /** Replaces the heartbeat timeout of 15 s, which takes real time on the dev server. */
  heartbeatTimeout?: '1 s';
  /** Timeout of one run. */
  runTimeout?: '12 hours';
  /** Runs while the workflow runs. Time is not skipped until it returns. */
  meanwhile?: (handle: WorkflowHandle) => Promise<unknown>;
}

/** Runs a workflow to its end. Timers of any length fire immediately. */
export async function runWorkflow(options: WorkflowToRun): Promise<WorkflowRun> {
  const { type, args = [], activities, server = 'time-skipping', heartbeatTimeout, runTimeout, meanwhile } = options;
  const { client } = await connectTo(server);
  const taskQueue = `workflow-runs ${heartbeatTimeout ?? ''}`;
  await (workers[server + taskQueue] ??= startWorkers(server, taskQueue, heartbeatTimeout));
  const id = randomUUID();
  activitiesOf.set(id, activities);
  try {
    const handle = await client.workflow.start(type, {
      workflowId: id,
      taskQueue,
      args,
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

type Server = 'time-skipping' | 'dev';

/** Activities of the current runs, by workflow ID. */
const activitiesOf = new Map<string, Partial<Activities>>();

/** Workers of this process, by server and task queue. They serve all runs, because a start takes longer than a run. */
const workers: Record<string, Promise<void>> = {};

async function startWorkers(server: Server, taskQueue: string, heartbeatTimeout?: string): Promise<void> {
  const { connection, namespace } = await connectTo(server);
  const shared = {
    connection,
    namespace,
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    activities: { default: callActivityOfRun },
  };
  const { code } = await workflowBundle();
  const workflows = { code: heartbeatTimeout === undefined ? code : replaceHeartbeatTimeout(code, heartbeatTimeout) };
  const both = [
    await Worker.create({ ...shared, taskQueue, workflowBundle: workflows }),
    await Worker.create({ ...shared, taskQueue: transcriptionQueueOf(taskQueue) }),
  ];
  for (const worker of both) void worker.run();
}

function replaceHeartbeatTimeout(code: string, timeout: string): string {
  const replaced = code.replaceAll(/heartbeatTimeout: (['"])15 s\1/g, `heartbeatTimeout: '${timeout}'`);
  if (replaced === code) throw new Error('no workflow has a heartbeat timeout of 15 s');
  return replaced;
}

/** Calls the activity that the test provided for this run. */
async function callActivityOfRun(input: unknown): Promise<unknown> {
  const { activityType, workflowExecution } = Context.current().info;
  const activities = activitiesOf.get(workflowExecution?.workflowId ?? '') as Record<string, Activity> | undefined;
  const call = activities?.[activityType];
  if (!call) throw ApplicationFailure.nonRetryable(`the run has no activity ${activityType}`);
  return call(input);
}

type Activity = (input: unknown) => Promise<unknown>;

/** Cancels the workflow as soon as its activity waits in `untilInterrupted`. */
export function cancelOnceRunning() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  return {
    /** Rejects like a canceled activity. */
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

/** A heartbeat delivers the cancellation to the activity. */
const HEARTBEAT_MS = 100;

async function connectTo(server: Server) {
  if (server === 'dev') return (await testTemporal()).temporal;
  const { client, nativeConnection } = await timeSkipping();
  return { client, connection: nativeConnection, namespace: 'default' };
}
