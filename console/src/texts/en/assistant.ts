import { plural } from './grammar.ts';

export const assistant = {
  testReviewed: (count: number) => `Test on ${plural(count, 'reviewed conversation')}`,
  changedElsewhere: (names: string) =>
    `Someone changed this assistant while you were editing${names === '' ? '' : ` (${names})`}. Your edits are not saved.`,
  keepEdits: 'Keep my edits',
  more: 'More settings',
  typeHint: 'Voice assistants transcribe recordings first. You can’t change the type later.',
  languageHint: 'A language code such as uz or en-US. Empty: the provider detects it.',
  textLanguageHint: 'A language code such as uz or en-US. Redaction searches names and addresses in this language.',
  channelsHint: (providers: string) =>
    `For recordings with one channel per speaker: one role on each line, in the order of the channels. Only with ${providers}. Empty: speakers are detected by voice.`,
  vocabularyHint: (terms: number) =>
    `Names and rare words of recordings, one per line, the most important first: at most ${terms}. ElevenLabs and gpt-transcribe take all (ElevenLabs costs 20% more), Whisper and local servers 224 bytes, Aisha none.`,
  retires: (model: string, day: string) => `The provider ends the model ${model} on ${day}. Choose another one.`,
  fallback: {
    llm: { provider: 'Fallback for analysis', model: 'Fallback model for analysis' },
    stt: { provider: 'Fallback for transcription', model: 'Fallback model for transcription' },
  },
  webhookHint: 'Each result is posted to this URL. Failed deliveries are retried after 30 s, 2 min and 10 min.',
  events: {
    'session.completed': 'Completed sessions',
    'session.failed': 'Failed sessions',
    'session.reviewed': 'Reviewed sessions',
  },
  readOnly: 'Read only: your role can’t change assistants.',
  deletedElsewhere:
    'Someone deleted this assistant while you were editing. Your edits are only on this page: save them as a new assistant.',
  saveAsNew: 'Save as new assistant',
  webhookAuths: { both: 'Bearer token and signature', bearer: 'Bearer token only', signature: 'Signature only' },
  noKey: 'This server is not set up for this provider. Choose another, or ask your administrator.',
  notAllowed: 'This server does not allow this model.',
  priceUnknown: 'Price unknown.',
  tokenPrices: (input: string, output: string) =>
    `${input} per million input tokens, ${output} per million output tokens.`,
  hourPrice: (hour: string) => `${hour} per hour of audio.`,
  ownServer: 'Runs on your own server: no charge.',
  fields: {
    types: {
      boolean: 'Yes or no',
      integer: 'Whole number',
      number: 'Number',
      string: 'Text',
      enum: 'One of options',
      string_list: 'List of texts',
      score: 'Score',
      said: 'Required wording',
    },
    pointsHint: 'One answer and its points per line: true = 10. For numbers, where a band begins: 8 = 10.',
    hint: 'Ask your own questions. Each answer is typed and comes with a quote.',
    add: 'Add question',
    optionsHint: 'One on each line.',
    key: 'Key',
    keyHint: 'For programs. Results are stored by this key.',
    evidence: 'Require evidence',
    up: (number: number) => `Move question ${number} up`,
    down: (number: number) => `Move question ${number} down`,
    remove: (number: number) => `Remove question ${number}`,
  },
  redaction: {
    hint: 'Checked values are replaced with placeholders such as [CARD_1] before a conversation is stored or analyzed.',
    originals: 'Original values',
    originalsHint: 'Card numbers and codes are always discarded.',
    choices: { discard: 'Discard', seal: 'Keep encrypted' },
    keepAudio: 'Keep recordings, which contain the original values',
  },
  secretHint: 'Signs each delivery and is sent as a Bearer token. Use at least 32 random characters.',
  secretKept: 'A secret is set. Leave empty to keep it. Another URL needs a new secret.',
  alerts: {
    events: { 'session.alert': 'A result meets conditions', 'delivery.failed': 'A delivery fails' },
    format: 'Post to',
    when: 'All of these are true',
    event: 'When',
    add: 'Add alert',
    broken: (conditions: string) => `Not sent, because these conditions do not match the questions: ${conditions}.`,
    remove: (number: number) => `Remove alert ${number}`,
  },
  followUps: {
    hint: 'Other assistants analyze the same conversation when a session completes. The transcript belongs to the first session: its deletion, also at the end of its retention, deletes the follow-ups.',
    assistant: 'Then also ask',
    add: 'Add follow-up',
    remove: (number: number) => `Remove follow-up ${number}`,
  },
  test: 'Test webhook',
  condition: { operator: 'Comparison', add: 'Add condition' },
  duplicate: 'Duplicate',
  deleteDetail: 'Sessions stay readable. Running sessions and pending deliveries stop.',
};

export const assistants = {
  answers: 'Most frequent answers',
  mean: (value: string) => `mean ${value}`,
  reviewMore: (count: number) => `Review ${count} more`,
  right: 'Right answers',
  week: 'Sessions, 7 days',
  create: 'Create assistant',
  webhook: 'Webhook',
  none: 'No assistants yet',
  noneDetail: 'An assistant defines the prompt, the model and the webhook of an analysis.',
};

export const trial = {
  title: 'Try on a past session',
  detail:
    'Analyzes a past conversation with the settings of this form, saved or not. The session is kept, and nothing is sent to the webhook.',
  none: 'No completed sessions yet',
  run: 'Start trial',
  draft: 'This draft',
};

interface SettingTexts {
  /** The choice of the model or of the server. */
  byDefault: string;
  hints: Readonly<Record<string, string>>;
  /** Texts of values that are not shown as they are. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const settingTexts: SettingTexts = {
  byDefault: 'Default of the model',
  hints: {
    temperature: '0 to 1. Not sent to models that do not support a temperature. The session shows this.',
    max_output_tokens: 'Reasoning counts as output. Default: 8,192.',
    economy: 'For sessions that no client waits for. OpenAI and Gemini sell it; others cost the standard price.',
    on_provider_outage:
      'Applies after all retries and the fallback. Waiting sessions continue when the provider is back.',
    retention_days: 'Sessions are deleted this many days after they end. Empty: server default.',
  },
  values: {
    economy: { standard: 'Standard', flex: 'Half price, up to an hour later' },
    on_provider_outage: { fail: 'Fail', wait: 'Wait up to 24 hours' },
  },
};
