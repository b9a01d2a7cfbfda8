import type { ErrorCode } from '../../../../contract/errors/errors.ts';
import type { Locale } from '../locale.ts';
export const common = {
  product: 'Conversation Analysis',
  cancel: 'Cancel',
  discardTitle: 'Discard your changes?',
  discardDetail: 'You have unsaved changes on this page.',
  discard: 'Discard changes',
  keepEditing: 'Keep editing',
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyOf: (label: string) => `Copy ${label}`,
  curl: 'cURL',
  copyCurl: 'Copy as cURL',
  tryAgain: 'Try again',
  clearFilters: 'Clear filters',
  loading: 'Loading …',
  none: 'None',
  unknown: 'Unknown',
  optional: 'optional',
  requestId: (id: string) => `Request ID: ${id}`,
  atLeast: (amount: string) => `≥ ${amount}`,
  atLeastWhy: 'At least one call has no known price.',
  more: 'Load more',
  notifications: 'Notifications',
  notFound: 'Page not found',
  notFoundDetail: 'The address may be wrong, or the item was deleted.',
  toStart: 'Go to overview',
  due: 'due now',
  inTime: (time: string) => `in ${time}`,
  created: 'Created',
  actions: 'Actions',
  done: 'Done',
  name: 'Name',
  save: 'Save',
  saved: 'Saved.',
  sessions: 'Sessions',
  deliveries: 'Deliveries',
  batches: 'Batches',
};

export const shell = {
  navigation: 'Main navigation',
  review: 'Review conversations',
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
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  timeZone: 'Time zone',
  timeZones: { local: 'Local', utc: 'UTC' },
  away: (time: string) => `Can’t reach the server since ${time}. Reconnecting …`,
  offline: 'You are offline. Showing the last known data.',
  noWorker: (since: string | null) =>
    `No worker ${since === null ? 'is running' : `has been running since ${since}`}. Sessions and deliveries wait until one starts.`,
  broke: 'Something went wrong',
  brokeDetail: 'Reload the page. If the problem persists, contact your administrator.',
  reload: 'Reload',
  language: 'Language',
  browserLanguage: 'As in browser',
  palette: {
    title: 'Search or jump to',
    button: 'Search or jump to …',
    placeholder: 'Search, or paste an ID',
  },
};

export const problem = {
  away: 'Can’t reach the server',
  awayDetail: 'The server may be restarting, or your connection is down. Try again in a few seconds.',
  /** By problem code. Without a `detail` here, the detail from the API is shown, because it contains specific values. */
  codes: {
    unauthorized: { title: 'You are not logged in', detail: 'Log in, then try again.' },
    budget_exceeded: { title: 'Monthly budget reached', detail: 'Raise the budget under Usage, then try again.' },
    insufficient_scope: {
      title: 'Not allowed',
      detail: 'Your role in this workspace does not allow this action. Ask an owner of the workspace.',
    },
    password_login_off: { title: 'Passwords are turned off' },
    proof_required: {
      title: 'Your identity is not confirmed',
      detail: 'Try again, and confirm your identity when you are asked.',
    },
    not_found: { title: 'Not found' },
    email_taken: {
      title: 'This email address is already registered',
      detail: 'Log in with it, or use another address.',
    },
    conflict: { title: 'Not possible in the current state' },
    quota_exceeded: { title: 'Limit reached' },
    precondition_failed: {
      title: 'Changed by someone else',
      detail: 'Load the page again, then repeat your change.',
    },
    payload_too_large: { title: 'Too large' },
    unsupported_media_type: { title: 'Unsupported file format' },
    validation_failed: { title: 'Some values are not valid', detail: 'Correct them, then try again.' },
    rate_limited: { title: 'Too many requests' },
    internal_error: {
      title: 'Internal error',
      detail: 'Try again. If the problem persists, send the request ID to your administrator.',
    },
  } as Partial<Record<ErrorCode, { title: string; detail?: string }>> &
    Record<'not_found', { title: string }> &
    Record<'validation_failed', { title: string; detail: string }>,
};

/** Field values and conditions on them. */
export const fields = {
  yes: 'Yes',
  no: 'No',
  conditions: 'Field conditions',
  remove: (condition: string) => `Remove: ${condition}`,
  operators: { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' },
  states: { null: 'not mentioned', not_null: 'mentioned', unverified: 'unverified' },
};

export const locale: Locale = { dates: 'en-GB', numbers: 'en-GB' };
