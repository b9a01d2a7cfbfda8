/** Every workflow, by the type's name. */
export { analyseSession } from './analyse-session.ts';
export { removeExpiredAudio } from './remove-expired-audio.ts';
export { sweepLostSessions } from './sweep-lost-sessions.ts';
