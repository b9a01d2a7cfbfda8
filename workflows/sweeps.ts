/** Scheduled workflows; each runs the activity of the same name. If one is interrupted, the next one continues. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

const retry = { maximumAttempts: 3 };
const short = proxyActivities<Activities>({ startToCloseTimeout: '5 minutes', retry });
const long = proxyActivities<Activities>({ startToCloseTimeout: '1 hour', retry });

export const sweepLostSessions = () => short.sweepLostSessions();
export const sweepLostDeliveries = () => short.sweepLostDeliveries();
export const removeExpiredAudio = () => long.removeExpiredAudio();
export const removeDeletedWorkspaces = () => long.removeDeletedWorkspaces();
export const removeExpiredSessions = () => long.removeExpiredSessions();
export const renewSearchWords = () => long.renewSearchWords();
export const removeExpiredKeys = () => short.removeExpiredKeys();
