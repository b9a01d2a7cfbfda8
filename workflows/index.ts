/** Every workflow, by the type's name. */
export { analyseSession } from './analyse-session.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { redeliverMany } from './redeliver-many.ts';
export { removeExpiredAudio } from './remove-expired-audio.ts';
export { sweepLostDeliveries } from './sweep-lost-deliveries.ts';
export { sweepLostSessions } from './sweep-lost-sessions.ts';
