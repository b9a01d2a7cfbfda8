import { cancelBatch, createContinueBatch } from './batches/continue-batch.ts';
import type { ContinueBatchDeps } from './batches/continue-batch.ts';
import type { SecretBox } from '../runtime/secrets.ts';
import type { WebhookHttp } from '../runtime/outbound/webhook-http.ts';
import { createAnalyzeConversation } from './sessions/analyze-conversation.ts';
import type { AnalyzeConversationDeps } from './sessions/analyze-conversation.ts';
import { wakesQueuedSessions } from './sessions/wake-queued-sessions.ts';
import { createEndSession } from './sessions/end-session.ts';
import { deliversAtOnce } from './sessions/deliver-at-once.ts';
import { createPostWebhook } from './webhooks/post-webhook.ts';
import { cancelRedelivery, createContinueRedelivery } from './webhooks/redeliver-many.ts';
import { removesAudioAtEnd } from './sessions/remove-audio-at-end.ts';
import { createRemoveDeletedAccounts } from './sweeps/remove-deleted-accounts.ts';
import { createRemoveExpiredAudio } from './sweeps/remove-expired-audio.ts';
import type { RemoveAudioDeps } from './sessions/remove-audio.ts';
import { createRemoveExpiredSessions } from './sweeps/remove-expired-sessions.ts';
import type { RemoveExpiredSessionsDeps } from './sweeps/remove-expired-sessions.ts';
import { removeExpiredRows } from './sweeps/remove-expired-rows.ts';
import { stopDelivery } from './webhooks/stop-delivery.ts';
import type { WebhookSlots } from './webhooks/webhook-slots.ts';
import { createSweepLostDeliveries } from './sweeps/sweep-lost-deliveries.ts';
import { createSweepLostSessions } from './sweeps/sweep-lost-sessions.ts';
import type { SweepLostSessionsDeps } from './sweeps/sweep-lost-sessions.ts';
import { createTranscribeAudio } from './sessions/transcribe-audio.ts';
import type { TranscribeAudioDeps } from './sessions/transcribe-audio.ts';

export interface ActivityDeps
  extends
    AnalyzeConversationDeps,
    ContinueBatchDeps,
    TranscribeAudioDeps,
    SweepLostSessionsDeps,
    RemoveAudioDeps,
    RemoveExpiredSessionsDeps {
  http: WebhookHttp;
  secrets: SecretBox;
  slots: WebhookSlots;
}

/** Returns every activity, bound to what it needs. The name of a property is the activity's type in Temporal. */
export function createActivities(deps: ActivityDeps) {
  const analyze = wakesQueuedSessions(deps, removesAudioAtEnd(deps, createAnalyzeConversation(deps)));
  return {
    analyzeConversation: deliversAtOnce(deps, analyze),
    cancelBatch,
    cancelRedelivery,
    continueBatch: createContinueBatch(deps),
    continueRedelivery: createContinueRedelivery(deps),
    endSession: wakesQueuedSessions(deps, removesAudioAtEnd(deps, createEndSession(deps))),
    postWebhook: createPostWebhook(deps),
    removeDeletedAccounts: createRemoveDeletedAccounts(deps),
    removeExpiredAudio: createRemoveExpiredAudio(deps),
    removeExpiredKeys: removeExpiredRows,
    removeExpiredSessions: createRemoveExpiredSessions(deps),
    stopDelivery,
    sweepLostDeliveries: createSweepLostDeliveries(deps),
    sweepLostSessions: createSweepLostSessions(deps),
    transcribeAudio: createTranscribeAudio(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
