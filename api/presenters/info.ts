import type { ServiceInfo } from '../../contract/service.ts';
import type { OwnQueue } from '../../db/queries/own-queue.ts';
import type { ApiDeps } from '../deps.ts';

export function presentInfo(config: ApiDeps['config'], version: string, queue: OwnQueue): ServiceInfo {
  const { http, quotas, temporal, temporalUiUrl } = config;
  return {
    version,
    commit: config.commit ?? null,
    registration: config.registration,
    audio_retention_days: config.audio.retentionDays,
    session_retention_days: config.sessionRetentionDays === 0 ? null : config.sessionRetentionDays,
    limits: {
      audio_bytes: config.audio.maxBytes,
      wait_s: http.waitMs / 1_000,
      sessions_in_flight: config.worker.maxSessionsInFlight,
      sessions_queued: http.maxQueuedSessions,
      assistants: quotas.assistants,
      api_keys: quotas.apiKeys,
      stored_audio_bytes: quotas.storedAudioBytes === Infinity ? null : quotas.storedAudioBytes,
      requests_per_minute: http.requestsPerMinute === 0 ? null : http.requestsPerMinute,
    },
    queue: { waiting: queue.waiting, oldest_queued_at: queue.oldest?.toISOString() ?? null },
    temporal_run_url:
      temporalUiUrl === undefined
        ? null
        : `${temporalUiUrl.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(temporal.namespace)}/workflows/{workflow_id}`,
  };
}
