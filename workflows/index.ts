/** Every workflow, by the type's name. */
export { analyseSession } from './analyse-session.ts';
export { sweepLostSessions } from './sweep-lost-sessions.ts';
