import type { ConsoleLanguage } from '../../../../contract/values/constants.ts';
import type { Locale } from '../locale.ts';
export const common = {
  actions: 'Actions',
  product: 'Conversation Analysis',
  tryAgain: 'Try again',
  loading: 'Loading …',
  requestId: (id: string) => `Request ID: ${id}`,
  notFound: 'Page not found',
  notFoundDetail: 'The address may be wrong, or the item was deleted.',
  toStart: 'Go to overview',
  sessions: 'Sessions',
  showSessions: 'Show sessions',
  deliveries: 'Deliveries',
  experiments: 'Experiments',
};

export const shell = {
  results: 'Results',
  navigation: 'Main navigation',
  review: 'Review',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  skip: 'Skip to content',
  overview: 'Overview',
  start: 'New conversation',
  sessions: 'Sessions & Logs',
  assistants: 'Assistants',
  usage: 'Usage',
  settings: 'Settings',
  system: 'System',
  apiDocs: 'API reference',
  logOut: 'Log out',
  away: (time: string) => `Can’t reach the server since ${time}. Reconnecting …`,
  offline: 'You are offline. Showing the last known data.',
  noWorker: (since: string | null) =>
    `No worker ${since === null ? 'is running' : `has been running since ${since}`}. Sessions and deliveries wait until one starts.`,
  broke: 'Something went wrong',
  brokeDetail: 'Reload the page. If the problem persists, contact your administrator.',
  reload: 'Reload',
  language: 'Language',
  palette: {
    title: 'Search or jump to',
    button: 'Search',
    placeholder: 'Search, or paste an ID',
  },
};

export const problem = {
  away: 'Can’t reach the server',
  awayDetail: 'The server may be restarting, or your connection is down. Try again in a few seconds.',
  /** Problems that are shown without the texts of `errors.ts`. */
  codes: {
    unauthorized: { title: 'You are not logged in', detail: 'Log in, then try again.' },
    not_found: { title: 'Not found' },
    validation_failed: { title: 'Some values are not valid', detail: 'Correct them, then try again.' },
  },
};

export const locale: Locale = { dates: 'en-GB', numbers: 'en-GB' };

export const language: ConsoleLanguage = 'en';
