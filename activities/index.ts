import type { WebhookHttp } from '../runtime/outbound/webhook-http.ts';
import type { SecretBox } from '../runtime/secrets/secrets.ts';
import { reportFailure } from './alerts/report-failure.ts';
import { cancelBatch, createContinueBatch, type ContinueBatchDeps } from './batches/continue-batch.ts';
import { createAnalyzeConversation, type AnalyzeConversationDeps } from './sessions/analyze-conversation.ts';
import type { OutboundSlots } from './outbound-slots.ts';
import { createEndSession } from './sessions/end-session.ts';
import { createFetchAudio, type FetchAudioDeps } from './sessions/fetch-audio.ts';
import { removesAudioAtEnd, type RemoveAudioDeps } from './sessions/remove-audio.ts';
import { createTranscribeAudio, type TranscribeAudioDeps } from './sessions/transcribe-audio.ts';
import { createRemoveDeletedWorkspaces } from './sweeps/remove-deleted-workspaces.ts';
import { createRemoveExpiredAudio } from './sweeps/remove-expired-audio.ts';
import {
  createRemoveExpiredSessions,
  removeExpiredRows,
  type RemoveExpiredSessionsDeps,
} from './sweeps/remove-expired-sessions.ts';
import { renewSearchWords } from './sweeps/renew-search-words.ts';
import { createSweepLostDeliveries } from './sweeps/sweep-lost-deliveries.ts';
import { createSweepLostSessions } from './sweeps/sweep-lost-sessions.ts';
import { createPostWebhook, stopDelivery } from './webhooks/post-webhook.ts';

export interface ActivityDeps
  extends AnalyzeConversationDeps, ContinueBatchDeps, TranscribeAudioDeps, RemoveAudioDeps, RemoveExpiredSessionsDeps {
  http: WebhookHttp;
  secrets: SecretBox;
  slots: OutboundSlots;
  fetches: FetchAudioDeps;
}

/** Returns every activity with its dependencies. The name of a property is the activity's type in Temporal. */
export function createActivities(deps: ActivityDeps) {
  return {
    analyzeConversation: removesAudioAtEnd(deps, createAnalyzeConversation(deps)),
    cancelBatch,
    continueBatch: createContinueBatch(deps),
    endSession: removesAudioAtEnd(deps, createEndSession(deps)),
    fetchAudio: createFetchAudio(deps.fetches),
    postWebhook: createPostWebhook({ ...deps, report: (delivery) => reportFailure(deps, delivery) }),
    removeDeletedWorkspaces: createRemoveDeletedWorkspaces(deps),
    removeExpiredAudio: createRemoveExpiredAudio(deps),
    removeExpiredKeys: removeExpiredRows,
    removeExpiredSessions: createRemoveExpiredSessions(deps),
    renewSearchWords,
    stopDelivery,
    sweepLostDeliveries: createSweepLostDeliveries(deps),
    sweepLostSessions: createSweepLostSessions(deps),
    transcribeAudio: createTranscribeAudio(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
