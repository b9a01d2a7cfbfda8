/** Exports every workflow by the name of its type. */
export { analyzeSession } from './analyze-session.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { redeliverMany } from './redeliver-many.ts';
export { runBatch } from './run-batch.ts';
export {
  removeDeletedAccounts,
  removeExpiredAudio,
  removeExpiredKeys,
  removeExpiredSessions,
  sweepLostDeliveries,
  sweepLostSessions,
} from './sweeps.ts';
