/** The wire formats of the speech-to-text providers, described independently of the adapters: one row for each kind of request. */
import type { Turn } from '../../../contract/sessions/sessions.ts';
import type { SttProviderName } from '../../../contract/values/constants.ts';

export interface SttRow {
  provider: SttProviderName;
  model: string | null;
  /** Roles of separate channels. Undefined if no channels are requested. */
  channelRoles?: readonly string[];
  /** Measured duration of the file; null if unknown. */
  durationS: number | null;
  basePath: string;
  path: string;
  /** Header with the key, and its value for the key `test-key`. */
  auth: readonly [string, string];
  fileField: string;
  /** All form fields except the file, in any order. `language` is undefined for Auto-Detect. */
  fields: (language: string | undefined) => [string, string][];
  /** The provider's response to the dialogue of the suite. */
  answer: object;
  turns: Turn[];
  language: string | null;
  usage: object | null;
  /** The response to a recording without speech. */
  silence: object;
  /** Implausible usage in the provider's format. */
  absurd: object[];
  requestIdHeader: string;
  error: (status: number) => unknown;
}

export const TEXT = 'Good morning. Hello, my parcel is late.';
export const DURATION_S = 42.5;

const TURNS: Turn[] = [
  { role: 'speaker 1', text: 'Good morning.', start_s: 0.5, end_s: 1.25 },
  { role: 'speaker 2', text: 'Hello, my parcel is late.', start_s: 2, end_s: 4.125 },
];
const anonymous = TURNS.map((turn) => ({ ...turn, role: 'speaker' }));
const whole: Turn[] = [{ role: 'speaker', text: TEXT }];

const ABSURD_SECONDS = [-1, 1e12, '42', null, {}];

const word = (text: string, start: number, end: number, speaker_id: string) => ({
  text,
  start,
  end,
  speaker_id,
  type: 'word',
  logprob: -0.1,
});
const blank = (speaker_id: string) => ({ text: ' ', start: null, end: null, speaker_id, type: 'spacing' });

const [FIRST, SECOND] = ['speaker_0', 'speaker_1'] as const;
const MORNING_WORDS = [word('Good', 0.5, 0.75, FIRST), blank(FIRST), word('morning.', 0.8, 1.25, FIRST)];
const PARCEL_WORDS = [
  word('Hello,', 2, 2.5, SECOND),
  { text: ' ', type: 'spacing' },
  word('my', 2.5, 2.75, SECOND),
  blank(SECOND),
  word('parcel', 2.8, 3.25, SECOND),
  blank(SECOND),
  word('is', 3.3, 3.5, SECOND),
  blank(SECOND),
  word('late.', 3.5, 4.12499, SECOND),
];

/** Returns the form field of a language. Auto-Detect has none. */
const languageField = (name: string, language: string | undefined): [string, string][] =>
  language === undefined ? [] : [[name, language]];

const elevenlabs: SttRow = {
  provider: 'elevenlabs',
  model: 'scribe_v2',
  durationS: 42,
  basePath: '',
  path: '/v1/speech-to-text',
  auth: ['xi-api-key', 'test-key'],
  fileField: 'file',
  fields: (language) => [
    ['model_id', 'scribe_v2'],
    ['diarize', 'true'],
    ['tag_audio_events', 'false'],
    ...languageField('language_code', language),
  ],
  answer: {
    language_code: 'uzb',
    language_probability: 0.9,
    text: TEXT,
    words: [...MORNING_WORDS, blank(SECOND), ...PARCEL_WORDS],
    transcription_id: 'tr-1',
    audio_duration_secs: DURATION_S,
  },
  turns: TURNS,
  language: 'uz',
  usage: { audio_seconds: DURATION_S },
  silence: { language_code: 'eng', text: '', words: [], audio_duration_secs: DURATION_S },
  absurd: ABSURD_SECONDS.map((audio_duration_secs) => ({ audio_duration_secs })),
  requestIdHeader: 'request-id',
  error: (status) => ({ detail: { status: `s${status}`, message: 'quoted: secret words' } }),
};

/** The same dialogue, with one channel for each speaker. */
const elevenlabsChannels: SttRow = {
  ...elevenlabs,
  channelRoles: ['operator', 'client'],
  fields: (language) => [
    ['model_id', 'scribe_v2'],
    ['diarize', 'false'],
    ['tag_audio_events', 'false'],
    ['use_multi_channel', 'true'],
    ...languageField('language_code', language),
  ],
  answer: {
    transcripts: [MORNING_WORDS, PARCEL_WORDS].map((words, channel_index) => ({
      language_code: 'uzb',
      language_probability: 0.9,
      text: TURNS[channel_index]?.text,
      words,
      channel_index,
    })),
    transcription_id: 'tr-2',
    audio_duration_secs: 2 * DURATION_S,
  },
  turns: TURNS.map((turn, index) => ({ ...turn, role: ['operator', 'client'][index] ?? '' })),
  usage: { audio_seconds: 2 * DURATION_S },
  silence: {
    transcripts: [0, 1].map((channel_index) => ({ language_code: 'eng', text: '', words: [], channel_index })),
    audio_duration_secs: 2 * DURATION_S,
  },
};

const segments = TURNS.map(({ text, start_s: start, end_s: end }, id) => ({
  id,
  start,
  end,
  text: ` ${text}`,
  avg_logprob: -0.1,
  seek: 0,
}));
const speakerSegments = segments.flatMap((segment, index) => {
  // The second speaker's turn comes in two segments.
  const speaker = 'AB'[index];
  if (index === 0) return [{ ...segment, speaker, type: 'transcript.text.segment' }];
  return [
    { ...segment, end: 2.5, text: ' Hello,', speaker, type: 'transcript.text.segment' },
    { ...segment, start: 2.5, text: ' my parcel is late.', speaker, type: 'transcript.text.segment' },
  ];
});

const DURATION_USAGE = { type: 'duration', seconds: 43 };
const TOKEN_USAGE = {
  type: 'tokens',
  input_tokens: 430,
  output_tokens: 20,
  total_tokens: 450,
  input_token_details: { audio_tokens: 425, text_tokens: 5 },
};
const ABSURD_TOKENS = [-1, 1.5, 1e30, '430', null].map((input_tokens) => ({ usage: { ...TOKEN_USAGE, input_tokens } }));
const ABSURD_USAGE_SECONDS = ABSURD_SECONDS.map((seconds) => ({ usage: { type: 'duration', seconds } }));

type WhisperRow = Pick<SttRow, 'model' | 'answer' | 'turns' | 'language' | 'usage' | 'absurd'> & {
  extra: Record<string, string>;
  languageName?: string;
};

const whisper = ({ extra, languageName = 'language', ...row }: WhisperRow): SttRow => ({
  provider: 'whisper',
  durationS: DURATION_S,
  basePath: '/v1',
  path: '/v1/audio/transcriptions',
  auth: ['authorization', 'Bearer test-key'],
  fileField: 'file',
  fields: (language) => [
    ['model', row.model ?? ''],
    ...Object.entries(extra),
    ...languageField(languageName, language),
  ],
  silence: { text: '' },
  requestIdHeader: 'x-request-id',
  error: (status) => ({ error: { message: 'quoted: secret words', type: 'x', param: null, code: `${status}` } }),
  ...row,
});

const WHISPER_ROWS: SttRow[] = [
  whisper({
    model: 'whisper-1',
    extra: { response_format: 'verbose_json' },
    answer: { text: ` ${TEXT}`, language: 'uzbek', duration: DURATION_S, segments, usage: DURATION_USAGE },
    turns: anonymous,
    language: 'uz',
    usage: { audio_seconds: 43 },
    absurd: ABSURD_USAGE_SECONDS,
  }),
  whisper({
    model: 'gpt-transcribe',
    extra: { response_format: 'json' },
    languageName: 'languages[]',
    answer: { text: TEXT, languages: [{ code: 'uz' }, { code: 'ru' }], usage: DURATION_USAGE },
    turns: whole,
    language: 'uz',
    usage: { audio_seconds: 43 },
    absurd: ABSURD_USAGE_SECONDS,
  }),
  ...['gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-mini-transcribe-2025-12-15'].map((model) =>
    whisper({
      model,
      extra: { response_format: 'json' },
      answer: { text: TEXT, usage: TOKEN_USAGE },
      turns: whole,
      language: null,
      usage: { audio_seconds: DURATION_S, input_tokens: 430, input_audio_tokens: 425, output_tokens: 20 },
      absurd: ABSURD_TOKENS,
    }),
  ),
  whisper({
    model: 'gpt-4o-transcribe-diarize',
    extra: { response_format: 'diarized_json', chunking_strategy: 'auto' },
    answer: { task: 'transcribe', duration: DURATION_S, text: TEXT, segments: speakerSegments, usage: TOKEN_USAGE },
    turns: TURNS.map((turn, index) => ({ ...turn, role: `speaker ${'AB'[index]}` })),
    language: null,
    usage: { audio_seconds: DURATION_S, input_tokens: 430, input_audio_tokens: 425, output_tokens: 20 },
    absurd: ABSURD_TOKENS,
  }),
  // A compatible server that always returns only the text.
  whisper({
    model: 'Systran/faster-whisper-small',
    extra: { response_format: 'verbose_json' },
    answer: { text: TEXT },
    turns: whole,
    language: null,
    usage: { audio_seconds: DURATION_S },
    absurd: [{ usage: 'many' }, { usage: [] }, { usage: 7 }],
  }),
];

const diarization = TURNS.map(({ text, start_s: start, end_s: end }, index) => ({
  speaker: `SPEAKER_0${index}`,
  start,
  end,
  text,
}));

export const AISHA_RESULT = { transcript: TEXT, diarization, duration: DURATION_S };

const aisha: SttRow = {
  provider: 'aisha',
  model: null,
  durationS: 42,
  basePath: '',
  path: '/api/v1/stt/post/',
  auth: ['x-api-key', 'test-key'],
  fileField: 'audio',
  fields: (language) => [['has_diarization', 'true'], ...languageField('language', language)],
  answer: { id: 7, ...AISHA_RESULT },
  turns: TURNS,
  language: null,
  usage: { audio_seconds: DURATION_S },
  silence: { id: 7, transcript: '', duration: DURATION_S },
  absurd: ABSURD_SECONDS.map((duration) => ({ duration })),
  requestIdHeader: 'x-request-id',
  error: () => ({ detail: 'quoted: secret words' }),
};

export const AISHA_TURNS = TURNS;

const [whisperRow] = WHISPER_ROWS as [SttRow];
const local: SttRow = { ...whisperRow, provider: 'local' };

export const STT_ROWS: readonly SttRow[] = [elevenlabs, elevenlabsChannels, ...WHISPER_ROWS, aisha, local];
