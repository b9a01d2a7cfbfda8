import { number, plural } from './grammar.ts';

export const overview = {
  none: 'No activity in this period',
  first: {
    title: 'First steps',
    hide: 'Hide',
    samples: 'Add sample data',
    samplesHint: 'Creates an assistant and analyzes three short conversations.',
    steps: {
      assistant: 'Create an assistant',
      conversation: 'Analyze a conversation',
      webhook: 'Receive results at your URL',
    },
    open: {
      assistant: 'Choose a template',
      conversation: 'Add a conversation',
      webhook: 'Add webhook',
    },
  },
  measures: { sessions: 'Sessions', cost: 'Cost' },
  chartOf: (measure: string) => `${measure} over time. The table below has the same numbers.`,
  comparing: 'Comparing …',
  previous: (value: string) => `previous period: ${value}`,
  asTable: 'Show numbers as a table',
  numbers: 'Numbers over time',
  start: 'Start',
  days: (zone: string) => `Excludes reanalyses and trials. Days begin at midnight (${zone}).`,
  retrying: (count: number) => `${plural(count, 'delivery is', 'deliveries are')} being retried.`,
  state: {
    unknown: 'The state is unknown: the server does not answer. The figures below may be old.',
    good: 'Nothing needs attention.',
    problems: (count: number) => (count === 1 ? '1 problem needs attention.' : `${count} problems need attention.`),
    list: 'Problems',
  },
  down: (provider: string, reason: string, since: string) =>
    `Calls to ${provider} have failed since ${since}: ${reason}.`,
  waits: (count: number) => (count === 1 ? '1 session waits.' : `${number.format(count)} sessions wait.`),
  paused: 'Calls are paused, except for single test calls.',
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
  stores: { disk: 'Disk for recordings', recordings: 'Recordings', conversations: 'Conversations' },
  showSessions: 'Show sessions',
  showDeliveries: 'Show deliveries',
  retry: 'Retry …',
  calls: {
    title: (range: string) => `What the calls say, ${range.toLowerCase()}`,
    reviewed: (count: number) => `${number.format(count)} reviewed`,
    right: (share: string) => `right in ${share}`,
    mean: (value: string) => `mean ${value}`,
  },
};
