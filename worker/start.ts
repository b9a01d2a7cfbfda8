/** Creates the activities and runs the Temporal worker. */
import { Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { createWebhookSlots } from '../activities/webhooks/webhook-slots.ts';
import { createActivities } from '../activities/index.ts';
import { REPORT_MS } from '../activities/report-life.ts';
import { createVendorSilence } from '../activities/sessions/vendor-silence.ts';
import { createLlmProviders } from '../activities/vendors/llm/index.ts';
import { createAssumePrice, createPriceOf } from '../activities/vendors/pricing.ts';
import { createSttProviders } from '../activities/vendors/stt/index.ts';
import { DEPLOYMENT, SIGNALS, TASK_QUEUE } from '../contract/workflows.ts';
import { createAddressGuard } from '../runtime/outbound/address-guard.ts';
import { createAudioStore } from '../runtime/audio/create-store.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { createUserShares } from '../runtime/fair-shares.ts';
import { createSecretBox } from '../runtime/secrets.ts';
import type { Temporal } from '../runtime/temporal/connect.ts';
import { signalWorkflow } from '../runtime/temporal/runs.ts';
import { temporalTracing } from '../runtime/telemetry/tracing.ts';
import { createWebhookHttp } from '../runtime/outbound/webhook-http.ts';
import { reportAlive } from './report-alive.ts';
import { ensureSchedules } from './schedules.ts';
import { sanitizeErrors } from './sanitize-errors.ts';
import { watchOverdue } from './watch-overdue.ts';
import { loadWorkflowBundle } from './workflow-bundle.ts';

/** Runs that stay in memory between their tasks; more would be replayed. By default the SDK takes what the heap allows, and keeps it. */
const MAX_CACHED_WORKFLOWS = 500;

/**
 * Tasks of workflows that are taken at once. Each is milliseconds of the processor: those that are not taken yet wait in
 * Temporal, where users take turns.
 */
const MAX_WORKFLOW_TASKS = 10;

/**
 * As many more where the runs that this process starts are handed to it: the ten are held by those who ask Temporal for
 * tasks, and a start that finds none free goes through its queue like any other.
 */
const MAX_EAGER_TASKS = 30;

export interface RunningWorker {
  /** Rejects if the worker fails; resolves after `stop`. */
  ended: Promise<void>;
  /** Takes no more work and gives what runs the grace period to end. */
  stop(): Promise<void>;
}

export interface WorkerParts {
  config: Config;
  temporal: Temporal;
  log: Log;
}

export async function startWorker({ config, temporal, log }: WorkerParts): Promise<RunningWorker> {
  // Before there is a worker: where they can't be made there is nothing to end that holds the connection.
  await ensureSchedules(temporal.client);
  const http = createWebhookHttp(createAddressGuard(config.webhooks.allowHosts, config.webhooks.dnsServers));
  const { activitySlots, webhookSlots, webhookSlotsPerHost, webhookSlotsPerUser, conversationBytesInFlight } =
    config.worker;
  const activities = createActivities({
    llm: createLlmProviders(config),
    stt: createSttProviders(config),
    audio: createAudioStore(config.audio),
    audioRetentionDays: config.audio.retentionDays,
    sessionRetentionDays: config.sessionRetentionDays,
    priceOf: createPriceOf(config.vendors.pricesFile),
    assumePrice: createAssumePrice(config.vendors.unknownPrices),
    budgets: config.budgets,
    retryWindowMs: config.vendors.retryWindowMs,
    silence: createVendorSilence(),
    sttTimeoutMs: config.vendors.sttTimeoutMs,
    maxSessionsInFlight: config.worker.maxSessionsInFlight,
    maxBatchSessions: config.worker.maxBatchSessions,
    conversations: createUserShares(conversationBytesInFlight),
    http,
    slots: createWebhookSlots(
      { total: webhookSlots, perHost: webhookSlotsPerHost, perUser: webhookSlotsPerUser },
      (workflowId) => void callWaiting({ temporal, log }, workflowId),
    ),
    secrets: createSecretBox(config.encryptionKeys),
    client: temporal.client,
    log,
  });
  const tracing = temporalTracing();
  const worker = await Worker.create({
    connection: temporal.connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: await loadWorkflowBundle({ isTraced: tracing !== undefined }),
    activities,
    // A running step hears of its cancellation with a report; by default most of them are held back.
    maxHeartbeatThrottleInterval: REPORT_MS,
    // Webhooks take no more than theirs, so the rest is always there for the vendors.
    maxConcurrentActivityTaskExecutions: activitySlots + webhookSlots,
    ...versioning(config.worker.buildId),
    maxConcurrentWorkflowTaskExecutions: MAX_WORKFLOW_TASKS + (temporal.startsEagerly ? MAX_EAGER_TASKS : 0),
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    shutdownGraceTime: config.shutdownGraceMs,
    interceptors: {
      activity: [...(tracing ? [tracing.activityInterceptor] : []), sanitizeErrors(log)],
    },
    ...(tracing && { sinks: tracing.sinks }),
  });
  const ended = worker.run();
  const stopWatching = watchOverdue({ client: temporal.client, log });
  const reports = await reportAlive({ buildId: config.worker.buildId, log });
  return {
    ended,
    async stop() {
      stopWatching();
      await reports.stop();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
      await http.close();
    },
  };
}

/** Tells a delivery that there is room for its attempt. If that fails it is only later: it asks again by itself. */
async function callWaiting(
  { temporal, log }: Pick<WorkerParts, 'temporal' | 'log'>,
  workflowId: string,
): Promise<void> {
  await signalWorkflow(temporal.client, workflowId, SIGNALS.slotFree).catch((err: unknown) =>
    log.warn({ err, workflow_id: workflowId }, 'a delivery that waits is not called'),
  );
}

/**
 * Returns what binds each run to the release of the worker that took its first task. It is said here and not in the
 * workflows' code: a worker without a build id could not run such code at all.
 */
function versioning(buildId: string | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (buildId === undefined) return {};
  const version = { deploymentName: DEPLOYMENT, buildId };
  return { workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } };
}
