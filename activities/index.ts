import { IdempotencyKeyModel } from '../db/models/idempotency-key.ts';
import type { SecretBox } from '../runtime/secrets.ts';
import type { WebhookHttp } from '../runtime/webhook-http.ts';
import { createAnalyzeConversation } from './analyze-conversation.ts';
import type { AnalyzeConversationDeps } from './analyze-conversation.ts';
import { callsNext } from './call-next.ts';
import { createEndSession } from './end-session.ts';
import type { HostLimits } from './host-limits.ts';
import { createPostWebhook } from './post-webhook.ts';
import { cancelRedelivery, createContinueRedelivery } from './redeliver-many.ts';
import { removesAudioAtEnd } from './remove-audio-at-end.ts';
import { createRemoveExpiredAudio } from './remove-expired-audio.ts';
import type { RemoveExpiredAudioDeps } from './remove-expired-audio.ts';
import { stopDelivery } from './stop-delivery.ts';
import { createSweepLostDeliveries } from './sweep-lost-deliveries.ts';
import { createSweepLostSessions } from './sweep-lost-sessions.ts';
import type { SweepLostSessionsDeps } from './sweep-lost-sessions.ts';
import { createTranscribeAudio } from './transcribe-audio.ts';
import type { TranscribeAudioDeps } from './transcribe-audio.ts';

export interface ActivityDeps
  extends AnalyzeConversationDeps, TranscribeAudioDeps, SweepLostSessionsDeps, RemoveExpiredAudioDeps {
  http: WebhookHttp;
  secrets: SecretBox;
  hostLimits: HostLimits;
}

/** Every activity, with what it needs. The name of a property is the activity's type in Temporal. */
export function createActivities(deps: ActivityDeps) {
  return {
    analyzeConversation: callsNext(deps, removesAudioAtEnd(deps, createAnalyzeConversation(deps))),
    cancelRedelivery,
    continueRedelivery: createContinueRedelivery(deps),
    endSession: callsNext(deps, removesAudioAtEnd(deps, createEndSession(deps))),
    postWebhook: createPostWebhook(deps),
    removeExpiredAudio: createRemoveExpiredAudio(deps),
    removeExpiredKeys: IdempotencyKeyModel.removeExpired,
    stopDelivery,
    sweepLostDeliveries: createSweepLostDeliveries(deps),
    sweepLostSessions: createSweepLostSessions(deps),
    transcribeAudio: createTranscribeAudio(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
