import { number, plural } from './grammar.ts';

export const overview = {
  disk: 'Disk for recordings',
  counts: {
    sessions: (count: number): string => (count === 1 ? 'session' : 'sessions'),
    failed: (_count: number): string => 'failed',
    delivered: (_count: number): string => 'delivered',
    pending: (_count: number): string => 'not delivered yet',
    undelivered: (count: number): string => (count === 1 ? 'delivery failed' : 'deliveries failed'),
  },
  retrying: (count: number) => `${plural(count, 'delivery is', 'deliveries are')} being retried.`,
  spent: 'spent',
  none: 'No activity in this period',
  first: {
    detail:
      'An assistant asks your questions about each conversation. Choose a template, and paste or drop the first conversation.',
    title: 'First steps',
  },
  state: {
    unknown: 'The state is unknown: the server does not answer. The figures below may be old.',
    good: 'Nothing needs attention.',
    problems: (count: number) => (count === 1 ? '1 problem needs attention.' : `${count} problems need attention.`),
    list: 'Problems',
  },
  down: (provider: string, reason: string, since: string) =>
    `Requests to ${provider} have failed since ${since}: ${reason}.`,
  waits: (count: number) => (count === 1 ? '1 session waits.' : `${number.format(count)} sessions wait.`),
  paused: 'Requests are paused, except for single test requests.',
  nextTry: 'Next try',
  queued: (count: number, since: string) => `${plural(count, 'session')} queued, the oldest since ${since}.`,
  receiver: (host: string, cause: string, since: string) =>
    `${host} has not accepted deliveries since ${since}: ${cause}.`,
  acceptsAgain: (host: string, until: string, since: string) =>
    `${host} failed until ${until} and has accepted deliveries since ${since}.`,
  undelivered: (count: number) =>
    `${plural(count, 'delivery', 'deliveries')} failed and ${count === 1 ? 'was' : 'were'} not sent again.`,
  failures: (count: number, cause: string, last: string) =>
    `${plural(count, 'session')} failed, last at ${last}: ${cause}.`,
  full: (store: string, used: string, size: string, share: string) =>
    `${store}: ${used} of ${size} used (${share}). Delete sessions or raise the limit.`,
  showDeliveries: 'Show deliveries',
  retry: 'Retry …',
};
