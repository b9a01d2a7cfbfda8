import { getAttention } from '../../contract/service/attention.ts';
import * as contract from '../../contract/service/service.ts';
import { MAX_PERIOD_DAYS } from '../../contract/service/usage.ts';
import { WorkerModel } from '../../db/models/worker.ts';
import { sumAudioBytes, sumTextBytes } from '../../db/queries/owner-limits.ts';
import { findOwnQueue, findWaiting } from '../../db/queries/queue.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { ApiDeps } from '../deps.ts';
import { handle, presentRow } from '../http/handle.ts';
import { invalidAt } from '../errors.ts';
import { findAttention } from './attention.ts';
import { listProviders } from './list-providers.ts';

const DAY_MS = 86_400_000;

export const serviceRoutes = (deps: ApiDeps) => [
  handle(contract.listProviders, async () => ({ data: listProviders(deps), next_cursor: null })),

  handle(getAttention, async ({ query, ...caller }) => {
    const from = query.from === undefined ? new Date(Date.now() - DAY_MS) : new Date(query.from);
    if (Date.now() - from.getTime() > MAX_PERIOD_DAYS * DAY_MS)
      throw invalidAt('from', 'period:days', { max: MAX_PERIOD_DAYS });
    return { data: await findAttention(deps, caller, from), next_cursor: null };
  }),

  handle(contract.getInfo, async ({ workspaceId }) => {
    const [queue, waiting, audio_bytes, text_bytes, disk, { alive }, lastSeenAt, open_circuits] = await Promise.all([
      findOwnQueue(workspaceId),
      findWaiting(workspaceId),
      sumAudioBytes(workspaceId),
      sumTextBytes(workspaceId),
      deps.audio.findRoom().catch(() => undefined),
      WorkerModel.count(),
      WorkerModel.findLastSeen(),
      WorkerModel.findOpenCircuits(),
    ]);
    return {
      ...presentConfig(deps.config),
      version: packageJson.version,
      queue: { waiting: queue.waiting, oldest_queued_at: queue.oldest?.toISOString() ?? null },
      waiting: waiting.map((row) => presentRow(contract.ProviderQueueSchema, row)),
      storage: { audio_bytes, text_bytes, disk_bytes: disk?.bytes ?? null, disk_free_bytes: disk?.freeBytes ?? null },
      workers: { running: alive, last_seen_at: lastSeenAt?.toISOString() ?? null },
      open_circuits: open_circuits.map((row) => presentRow(contract.OpenCircuitSchema, row)),
    };
  }),
];

const orNull = (limit: number) => (limit === Infinity ? null : limit);

function presentConfig({ http, quotas, temporal, temporalUiUrl, ...config }: ApiDeps['config']) {
  const namespacePath = `/namespaces/${encodeURIComponent(temporal.namespace)}`;
  return {
    commit: config.commit ?? null,
    registration: config.registration,
    audio_retention_days: config.audio.retentionDays,
    session_retention_days: config.sessionRetentionDays === 0 ? null : config.sessionRetentionDays,
    shared_links: config.sharedLinks,
    limits: {
      audio_bytes: config.audio.maxBytes,
      wait_s: http.waitMs / 1_000,
      open_sessions: http.maxOpenSessions,
      assistants: quotas.assistants,
      api_keys: quotas.apiKeys,
      stored_audio_bytes: orNull(quotas.storedAudioBytes),
      stored_text_bytes: orNull(quotas.storedTextBytes),
      requests_per_minute: http.requestsPerMinute === 0 ? null : http.requestsPerMinute,
    },
    temporal_run_url: temporalUiUrl === undefined ? null : `${temporalUiUrl}${namespacePath}/workflows/{workflow_id}`,
  };
}
