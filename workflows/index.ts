/** Every workflow, named by its type. */
export { analyzeSession } from './analyze-session.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { runBatch } from './run-batch.ts';
export {
  removeDeletedWorkspaces,
  removeExpiredAudio,
  removeExpiredKeys,
  removeExpiredSessions,
  renewSearchWords,
  sweepLostDeliveries,
  sweepLostSessions,
} from './sweeps.ts';
