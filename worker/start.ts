/** Creates the activities and runs the Temporal workers. */
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { createBulkhead } from '../activities/bulkhead.ts';
import { createOutboundSlots } from '../activities/outbound-slots.ts';
import { createActivities, type ActivityDeps } from '../activities/index.ts';
import { HEARTBEAT_MS } from '../activities/heartbeat.ts';
import { createProviderBulkheads } from '../activities/providers/policy/provider-bulkheads.ts';
import { createLlmProviders } from '../activities/providers/llm/index.ts';
import { createAssumePrice, createPriceOf } from '../runtime/prices/prices.ts';
import { createSttProviders } from '../activities/providers/stt/index.ts';
import { DEPLOYMENT, TASK_QUEUE, transcriptionQueueOf } from '../contract/workflows.ts';
import { createRedactor } from '../redaction/create-redactor.ts';
import { createAddressGuard } from '../runtime/outbound/address-guard.ts';
import { createAudioDownload } from '../runtime/outbound/audio-download.ts';
import { createDiskRoom } from '../runtime/audio/disk-room.ts';
import { createAudioStore } from '../runtime/audio/create-store.ts';
import type { Config } from '../runtime/settings/config.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { createSecretBox } from '../runtime/secrets/secrets.ts';
import type { Temporal } from '../runtime/temporal/connect.ts';
import { temporalTracing } from '../runtime/telemetry/tracing.ts';
import { createWebhookHttp } from '../runtime/outbound/webhook-http.ts';
import { reportAlive } from './report-alive.ts';
import { ensureSchedulesInBackground } from './schedules.ts';
import { sanitizeErrors } from './sanitize-errors.ts';
import { watchOverdue } from './watch-overdue.ts';
import { loadWorkflowBundle } from './workflow-bundle.ts';

/** Runs that stay in memory between their tasks. By default, the SDK fills the heap. */
const MAX_CACHED_WORKFLOWS = 500;

/** Concurrent workflow tasks. Each takes milliseconds; others wait in Temporal's queue, which is fair to workspaces. */
const MAX_WORKFLOW_TASKS = 10;

/** Additional slots for eager starts: pollers hold the ten, and a start without a free slot goes through the queue. */
const MAX_EAGER_TASKS = 30;

/** Slots of a step per call to one provider: a provider that does not respond leaves half of them to others. */
const PROVIDERS_AT_ONCE = 2;

/** Concurrent analyses of conversations above 256 KiB, which take up to 50 MB of memory each. */
const LARGE_CONVERSATIONS = 8;

/** Concurrent downloads of recordings. One host gets 4, one workspace 5. */
const DOWNLOADS = { slots: 20, perHost: 0.2 };

/** Share of the webhook slots that one receiver may use. */
const WEBHOOKS_PER_HOST = 0.05;

export interface RunningWorker {
  /** Rejects if the worker fails; resolves after `stop`. */
  ended: Promise<void>;
  /** Stops polling and waits until running work ends, at most for the grace period. */
  stop(): Promise<void>;
}

interface WorkerParts {
  config: Config;
  temporal: Temporal;
  log: Log;
}

export async function startWorker({ config, temporal, log }: WorkerParts): Promise<RunningWorker> {
  const { callsPerProvider, buildId } = config.worker;
  const stepSlots = PROVIDERS_AT_ONCE * callsPerProvider;
  const webhookSlots = 2 * callsPerProvider;
  const bulkheads = createProviderBulkheads(callsPerProvider);
  const redactor = createRedactor(config.redaction);
  const parts = { bulkheads, redactor, slots: createOutboundSlots(webhookSlots, WEBHOOKS_PER_HOST) };
  const { transcribeAudio, ...activities } = activitiesOf({ config, temporal, log }, parts);
  const tracing = temporalTracing();
  const shared = {
    connection: temporal.connection,
    namespace: temporal.namespace,
    // A step receives its cancellation with a heartbeat. By default, the SDK skips most heartbeats.
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    ...versioning(buildId),
    shutdownGraceTime: config.shutdownGraceMs,
    interceptors: { activity: [...(tracing ? [tracing.activityInterceptor] : []), sanitizeErrors(log)] },
  } satisfies Partial<WorkerOptions>;
  const main = await Worker.create({
    ...shared,
    taskQueue: TASK_QUEUE,
    workflowBundle: await loadWorkflowBundle({ isTraced: tracing !== undefined }),
    activities,
    // Webhooks and downloads use only their own slots, so the others are always available for analyses.
    maxConcurrentActivityTaskExecutions: stepSlots + webhookSlots + DOWNLOADS.slots,
    maxConcurrentWorkflowTaskExecutions: MAX_WORKFLOW_TASKS + (temporal.startsEagerly ? MAX_EAGER_TASKS : 0),
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    ...(tracing && { sinks: tracing.sinks }),
  });
  const transcriptions = await Worker.create({
    ...shared,
    taskQueue: transcriptionQueueOf(TASK_QUEUE),
    activities: { transcribeAudio },
    maxConcurrentActivityTaskExecutions: stepSlots,
  });
  const workers = [main, transcriptions];
  const stopWorkers = () => workers.forEach((worker) => worker.getState() === 'RUNNING' && worker.shutdown());
  const ended = Promise.all(
    workers.map((worker) =>
      worker.run().catch((error: unknown) => {
        stopWorkers();
        throw error;
      }),
    ),
  ).then(() => undefined);
  const stopSchedules = ensureSchedulesInBackground({ client: temporal.client, log });
  const stopWatching = watchOverdue({ client: temporal.client, log });
  const reports = await reportAlive({ buildId, findOpenCircuits: bulkheads.findOpenCircuits, log });
  return {
    ended,
    async stop() {
      stopWatching();
      stopSchedules();
      await reports.stop();
      stopWorkers();
      await ended;
      await redactor.rules.stop();
    },
  };
}

function activitiesOf(
  { config, temporal, log }: WorkerParts,
  parts: Pick<ActivityDeps, 'bulkheads' | 'redactor' | 'slots'>,
) {
  const http = createWebhookHttp(createAddressGuard(config.webhooks.allowHosts, config.webhooks.dnsServers));
  const audio = createAudioStore(config.audio);
  const secrets = createSecretBox(config.encryptionKeys);
  return createActivities({
    llm: createLlmProviders(config),
    stt: createSttProviders(config),
    audio,
    audioRetentionDays: config.audio.retentionDays,
    sessionRetentionDays: config.sessionRetentionDays,
    priceOf: createPriceOf(config.calls.pricesFile),
    assumePrice: createAssumePrice(config.calls.unknownPrices),
    budgets: config.budgets,
    retryWindowMs: config.calls.retryWindowMs,
    ...parts,
    sttTimeoutMs: config.calls.sttTimeoutMs,
    largeConversations: createBulkhead(LARGE_CONVERSATIONS, 'large conversations'),
    http,
    fetches: {
      audio,
      secrets,
      startDownload: createAudioDownload(createAddressGuard(config.audio.urlAllowHosts, config.webhooks.dnsServers)),
      diskRoom: createDiskRoom({ audio, minFreeBytes: config.audio.minFreeBytes }),
      slots: createOutboundSlots(DOWNLOADS.slots, DOWNLOADS.perHost),
      maxBytes: config.audio.maxBytes,
      maxStoredBytes: config.quotas.storedAudioBytes,
      retryWindowMs: config.audio.fetchWindowMs,
    },
    secrets,
    client: temporal.client,
    publicUrl: config.publicUrl,
    isSimulated: (provider) => config.providers.analysis[provider].isSimulated,
    log,
  });
}

/**
 * Returns options that pin each run to the release that started it. They are set here and not in the workflows, because a
 * worker without a build ID could not run such workflows.
 */
function versioning(buildId: string | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (buildId === undefined) return {};
  const version = { deploymentName: DEPLOYMENT, buildId };
  return { workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } };
}
