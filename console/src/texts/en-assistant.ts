/** English texts about the settings of assistants, loaded with their forms. */
export const assistantForm = {
  basics: 'Basics',
  typeHint: 'Voice assistants transcribe recordings first. You can’t change the type later.',
  sttProvider: 'Speech-to-text provider',
  sttModel: 'Speech-to-text model',
  languageHint: 'A language code such as uz or en-US. Empty: the provider detects it.',
  textLanguageHint: 'A language code such as uz or en-US. Redaction searches names and addresses in this language.',
  channels: 'Channel roles',
  channelsHint: (providers: string) =>
    `For recordings with one channel per speaker: one role on each line, in the order of the channels. Only with ${providers}. Empty: speakers are detected by voice.`,
  analysis: 'Analysis',
  promptHint: (length: string, max: string) => `What should the model look for? ${length} of ${max} characters.`,
  retention: 'Keep sessions for (days)',
  retentionHint: 'Sessions are deleted this many days after they end. Empty: server default.',
  temperatureHint: '0 to 1. Not sent to models that do not support a temperature. The session shows this.',
  fallback: {
    llm: { provider: 'Fallback for analysis', model: 'Fallback model for analysis' },
    stt: { provider: 'Fallback for transcription', model: 'Fallback model for transcription' },
  },
  onOutage: 'If the provider is down',
  onOutageHint: 'Applies after all retries and the fallback. Waiting sessions continue when the provider is back.',
  outageChoices: { fail: 'Fail', wait: 'Wait up to 24 hours' },
  webhookHint: 'Each result is posted to this URL. Failed deliveries are retried after 30 s, 2 min and 10 min.',
  webhookEvents: 'Events',
  events: {
    'session.completed': 'Completed sessions',
    'session.failed': 'Failed sessions',
    all: 'Completed and failed sessions',
  },
  readOnly: 'Read only: your role can’t change assistants.',
  deletedElsewhere:
    'Someone deleted this assistant while you were editing. Your edits are only on this page: save them as a new assistant.',
  saveAsNew: 'Save as new assistant',
  copyPrompt: 'Copy system prompt',
  webhookAuth: 'Authentication',
  webhookAuths: { both: 'Bearer token and signature', bearer: 'Bearer token only', signature: 'Signature only' },
};

export const alerts = {
  title: 'Alerts',
  none: 'Post to Slack or another URL when the values of fields meet conditions.',
  add: 'Add alert',
  when: 'Conditions',
  whenHint: 'A result must meet all of them.',
  format: 'Format',
  formats: { json: 'JSON', slack: 'Slack' },
  broken: (conditions: string) => `Not sent, because these conditions do not match the fields: ${conditions}.`,
  remove: (number: number) => `Remove alert ${number}`,
};

export const fields = {
  title: 'Fields',
  none: 'Ask your own questions. Each answer is typed and comes with a quote.',
  add: 'Add field',
  name: 'Name',
  type: 'Type',
  description: 'Question',
  options: 'Options',
  optionsHint: 'One on each line.',
  minimum: 'Minimum',
  maximum: 'Maximum',
  key: 'Key',
  keyHint: 'For programs. Results are stored by this key.',
  evidence: 'Require evidence',
  up: (number: number) => `Move field ${number} up`,
  down: (number: number) => `Move field ${number} down`,
  remove: (number: number) => `Remove field ${number}`,
};

export const trial = {
  title: 'Test on a past session',
  detail:
    'Analyzes a past conversation with the settings of this form, saved or not. The session is kept, and no webhook is sent.',
  none: 'No completed sessions yet',
  noneWhy: 'Submit a conversation first.',
  run: 'Run test',
  draft: 'This draft',
  open: 'Open full comparison',
};
