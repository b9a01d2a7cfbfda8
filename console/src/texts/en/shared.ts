import { plural, upTo } from './grammar.ts';

/** Units of time after a number. */
export const units = { ms: 'ms', s: 's', min: 'min', h: 'h', d: 'd' };

export const status = {
  fetching: 'Downloading',
  queued: 'Queued',
  transcribing: 'Transcribing',
  analyzing: 'Analyzing',
  completed: 'Completed',
  completed_with_failures: 'Completed with failures',
  failed: 'Failed',
  canceled: 'Canceled',
  deleted: 'Deleted',
  pending: 'Pending',
  retrying: (attempt: number, of: number) => `Retrying (${attempt} of ${of})`,
  delivered: 'Delivered',
  undelivered: 'Not delivered',
  stopped: 'Stopped',
  running: 'Running',
  paused: 'Paused',
  canceling: 'Canceling',
  succeeded: 'Succeeded',
  lost: 'Unrecorded',
  waiting: 'Waiting',
  waitingFor: (provider: string) => `Waiting for ${provider}`,
  waited: 'Waited',
};

export const types = { voice: 'Voice', text: 'Text' };

export const providers = { local: 'Local server' };

/** Why a provider call, a delivery attempt or a session failed. */
export const failures = {
  auth: 'API key rejected',
  bad_input: 'Request rejected',
  refused: 'Refused by the model',
  unknown_model: 'Model not offered by the provider',
  incomplete: 'Incomplete response',
  rate_limited: 'Too many requests',
  unavailable: 'Provider unavailable',
  quota_exceeded: 'Provider quota exceeded',
  too_large: 'Too large for the provider',
  audio_unreachable: 'Recording not reachable',
  audio_rejected: 'Recording rejected',
  cut_off: 'Connection interrupted',
  not_audio: 'Not a recording',
  no_room: 'Disk full',
  budget_exceeded: 'Monthly budget reached',
  terminated: 'Terminated',
  internal: 'Internal error',
  canceled: 'Canceled',
  timeout: 'Timed out',
  dns: 'DNS lookup failed',
  connect: 'Connection failed',
  connection_closed: 'Connection closed',
  tls: 'TLS failed',
  invalid_response: 'Invalid response',
  redirect: 'Redirected',
  blocked_address: 'Address not allowed',
  http_status: 'Error response',
  worker_lost: 'Unrecorded attempt',
  secret_unreadable: 'Secret unreadable',
};

export const steps = { queue: 'Queue', transcription: 'Transcription', analysis: 'Analysis', total: 'Total' };

export const roles = { operator: 'Operator', client: 'Client', speaker: 'Speaker', other: 'Other', unknown: 'Unknown' };

export const kinds = {
  sess: 'Session',
  dlv: 'Delivery',
  asst: 'Assistant',
  bat: 'Batch',
  key: 'API token',
};

export const redactionKinds = {
  card: 'Card numbers',
  code: 'Codes and passwords',
  id: 'Identity documents',
  phone: 'Phone numbers',
  email: 'Email addresses',
  iban: 'IBANs',
  name: 'Names',
  address: 'Addresses',
};

export const sessions = {
  status: 'Status',
  length: 'Conversation length',
  turns: (count: number) => plural(count, 'turn'),
  cost: 'Cost',
  started: 'Started',
  time: 'Time',
  took: 'Analysis time',
  noSummary: 'No summary yet',
  modelHint: 'Exact name, such as gpt-6-luna',
  metadata: 'Metadata',
  simulated: 'Simulated',
  trial: 'trial',
  reanalysis: 'reanalysis',
  reanalysisKinds: { any: 'Shown', true: 'Only reanalyses' },
  none: 'No sessions yet',
  noneDetail: 'Submit a conversation here or with the API. It appears as soon as it is accepted.',
  id: 'Session ID',
  audio: 'Audio',
  formerMember: 'Former member',
  tokenOf: (token: string, person: string | null) =>
    person === null ? `${token} token` : `${token} token of ${person}`,
};

export const deliveries = {
  event: 'Event',
  failure: 'Failure',
  last: 'Last response',
  attempts: 'Attempts',
  next: 'Next attempt',
  openSession: 'Open session',
  replay: 'redelivery',
  none: 'No deliveries yet',
  noneDetail: 'Add a webhook URL to an assistant. Each result is posted to it, and each attempt appears here.',
  redeliverMany: 'Redeliver …',
  redeliver: 'Redeliver',
  redeliverTitle: 'Redeliver?',
  redeliverOne: 'Sends the same body to the assistant’s current URL, as a new delivery.',
};

export const versions = {
  title: 'Versions',
  of: (version: number) => `Version ${version}`,
  autoDetect: 'Detected by the provider',
  current: 'current',
  version: 'Version',
  changed: 'Changed',
  first: 'Initial version',
  restoredFrom: (version: number) => `Restored from version ${version}`,
  compareOf: (version: number) => `Compare version ${version}`,
  with: 'Compare with',
  comparison: (one: number, other: number) => `Version ${one} vs. version ${other}`,
  restore: 'Restore',
  restoreOf: (version: number) => `Restore version ${version}`,
  restoreTitle: (version: number) => `Restore version ${version}?`,
  restoreDetail:
    'Creates a new version with these settings for new conversations. Name, description and webhook are kept.',
  restored: (version: number) => `The assistant is now at version ${version}.`,
  properties: {
    type: 'Type',
    description: 'Question',
    options: 'Options',
    minimum: 'Minimum',
    maximum: 'Maximum',
    evidence: 'Evidence',
    of: 'Points',
    pass: 'Passes from',
    must: 'Required to pass',
    phrases: 'Phrases',
    said_by: 'Said by',
    by: 'Said by',
    within_s: 'Within (seconds)',
  },
};

/** The settings of an assistant. */
export const settingTitles = {
  name: 'Name',
  description: 'Description',
  stt_provider: 'Transcription',
  stt_model: 'Transcription model',
  stt_language: 'Language',
  channel_roles: 'Channels',
  vocabulary: 'Vocabulary',
  llm_provider: 'Provider',
  llm_model: 'Model',
  system_prompt: 'System prompt',
  temperature: 'Temperature',
  reasoning_effort: 'Reasoning effort',
  max_output_tokens: 'Output limit (tokens)',
  fallback: 'Fallback',
  fields: 'Questions',
  redaction: 'Redaction',
  economy: 'Price of the analysis',
  on_provider_outage: 'If the provider is down',
  webhook_url: 'Webhook URL',
  webhook_secret: 'Webhook secret',
  webhook_auth: 'Authentication',
  webhook_events: 'Webhook events',
  alerts: 'Alerts',
  follow_ups: 'Follow-ups',
  retention_days: 'Keep sessions for (days)',
};

export const lists = {
  filters: 'Filters',
  addFilter: 'More',
  rarely: 'Rarely used',
  allAssistants: 'All assistants',
  answer: 'Answer',
  exports: {
    title: 'Export …',
    answers: 'Answers as CSV',
    csv: 'Sessions as CSV',
    noAnswers: 'Choose an assistant to export its answers.',
    jsonl: 'Sessions with answers as JSON Lines',
    zip: 'Transcripts and recordings as ZIP',
  },
  clear: 'Clear',
  any: 'Any',
  range: 'Time',
  ranges: {
    all: 'Any time',
    '1h': 'Last hour',
    '24h': 'Last 24 hours',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    '90d': 'Last 90 days',
    last_week: 'Last week',
    month: 'This month',
    last_month: 'Last month',
    custom: 'Custom range',
  },
  selectRow: 'Select row',
  selectAll: 'Select all loaded rows',
  selected: (count: number) => `${count} selected`,
  selectMatching: (sessions: string) => `Select all ${sessions}`,
  allSelected: (sessions: string) => `All ${sessions} selected`,
  clearSelection: 'Clear selection',
  copyLink: 'Copy link',
  columns: 'Columns',
  resetColumns: 'Reset columns',
  times: { created_after: 'From', created_before: 'To' },
  search: 'Search words or IDs',
  newRows: (count: number, isMore: boolean) => (isMore ? `${count}+ new` : `${count} new`),
  counts: {
    sessions: (total: number, isMore: boolean) => upTo(total, isMore, 'session'),
    deliveries: (total: number, isMore: boolean) => upTo(total, isMore, 'delivery', 'deliveries'),
  },
  noMatch: 'No matches',
  nothingContains: (text: string) => `Nothing contains “${text}”`,
  noneForReaders: 'Members with another role add them. Your role can only read.',
};

/** Answers and conditions on them. */
export const fields = {
  yes: 'Yes',
  no: 'No',
  remove: (condition: string) => `Remove: ${condition}`,
  operators: { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' },
  states: { null: 'Not mentioned', not_null: 'Mentioned', unverified: 'Without a quote' },
};

/** Labels of the parts that most pages have. */
export const labels = {
  back: 'Back',
  stop: 'Stop',
  cancel: 'Cancel',
  discardTitle: 'Discard your changes?',
  discardDetail: 'You have unsaved changes on this page.',
  discard: 'Discard changes',
  keepEditing: 'Keep editing',
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  deleteTitle: (name: string) => `Delete “${name}”?`,
  close: 'Close',
  copied: 'Copied',
  copyOf: (label: string) => `Copy ${label}`,
  copyCurl: 'Copy as cURL',
  clearFilters: 'Clear filters',
  none: 'None',
  unknown: 'Unknown',
  optional: 'optional',
  atLeast: (amount: string) => `≥ ${amount}`,
  atLeastWhy: 'At least one request has no known price.',
  more: 'Load more',
  notifications: 'Notifications',
  due: 'due now',
  inTime: (time: string) => `in ${time}`,
  created: 'Created',
  done: 'Done',
  save: 'Save',
  saved: 'Saved.',
};

export const preferences = {
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  browserLanguage: 'As in browser',
};
