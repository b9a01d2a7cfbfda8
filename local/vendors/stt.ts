/** The wire formats of ElevenLabs and of OpenAI's transcriptions, as seen from their side. */
import { randomUUID } from 'node:crypto';
import type { SttProviderName } from '../../contract/constants.ts';
import { Refusal } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import dialogue from './dialogue.json' with { type: 'json' };
import type { Directive } from './directive.ts';
import { readMultipart } from './multipart.ts';

/** What every transcription hears, whatever the recording. */
export const TURNS = dialogue.turns;

type SpokenTurn = (typeof TURNS)[number];
/** Returns the number of a turn's speaker; null where the vendor does not tell speakers apart. */
type SpeakerOf = (turn: SpokenTurn) => number | null;

const textOf = (turns: readonly SpokenTurn[]) => turns.map((turn) => turn.text).join(' ');

export const TEXT = textOf(TURNS);

export const durationOf = ({ duration_s = dialogue.duration_s }: Directive) => duration_s;

export interface UploadDialect {
  vendor: SttProviderName;
  path: RegExp;
  fileField: string;
  /** Fields the vendor insists on, and the status of its complaint. */
  required: readonly string[];
  missing: number;
  answer(fields: Record<string, string>, directive: Directive): unknown;
  error(status: number, message: string): unknown;
}

/** Returns a dialect whose requests are multipart forms with one file. */
export function uploadDialect({ fileField, required, missing, answer, ...dialect }: UploadDialect): Dialect {
  return {
    ...dialect,
    method: 'POST',
    async read(request) {
      const { fields, file } = await readMultipart(request);
      if (file?.field !== fileField) throw new Refusal(missing, `${fileField} is missing`);
      const absent = required.find((name) => !fields[name]);
      if (absent !== undefined) throw new Refusal(missing, `${absent} is missing`);
      return {
        text: file.name,
        fields,
        fileBytes: file.bytes,
        answer: (directive) => answer(fields, directive),
      };
    },
  };
}

const elevenlabs = uploadDialect({
  vendor: 'elevenlabs',
  path: /^\/elevenlabs\/v1\/speech-to-text$/,
  fileField: 'file',
  required: ['model_id'],
  missing: 422,
  answer({ language_code = 'eng', diarize, use_multi_channel }, directive) {
    const isDiarized = diarize === 'true';
    const isByChannel = use_multi_channel === 'true';
    if (isByChannel && isDiarized) throw new Refusal(422, 'diarize cannot be used with use_multi_channel');
    const { channels = 2 } = directive;
    const call = { transcription_id: randomUUID(), audio_duration_secs: durationOf(directive) };
    const transcriptOf = (turns: readonly SpokenTurn[], speakerOf: SpeakerOf) => ({
      ...{ language_code, language_probability: 0.98, text: textOf(turns) },
      words: wordsWithTimes(turns, speakerOf),
    });
    if (!isByChannel || channels === 1) {
      return { ...transcriptOf(TURNS, ({ speaker }) => (isDiarized ? speaker : null)), ...call };
    }
    const transcripts = Array.from({ length: channels }, (_, channel_index) => {
      const turns = TURNS.filter(({ speaker }) => speaker === channel_index);
      return { ...transcriptOf(turns, () => channel_index), channel_index };
    });
    return { transcripts, ...call, audio_duration_secs: channels * call.audio_duration_secs };
  },
  error: (status, message) => ({ detail: { status: `stand_in_${status}`, message } }),
});

/** Returns words and the blanks between them, spread evenly over their turn. */
function wordsWithTimes(turns: readonly SpokenTurn[], speakerOf: SpeakerOf) {
  return turns.flatMap((turn, index) => {
    const { start_s, end_s, text } = turn;
    const words = text.split(' ');
    const step = (end_s - start_s) / words.length;
    const speaker = speakerOf(turn);
    const speaker_id = speaker === null ? null : `speaker_${speaker}`;
    return words.flatMap((word, position) => {
      const start = start_s + position * step;
      const spoken = { text: word, start, end: start + step, type: 'word', speaker_id, logprob: -0.01 };
      const blank = { text: ' ', start, end: start, type: 'spacing', speaker_id, logprob: 0 };
      return index + position === 0 ? [spoken] : [blank, spoken];
    });
  });
}

const whisper = uploadDialect({
  vendor: 'whisper',
  path: /^\/whisper\/v1\/audio\/transcriptions$/,
  fileField: 'file',
  required: ['model'],
  missing: 400,
  answer(fields, directive) {
    const { model = '', response_format: format = 'json', language } = fields;
    refuseMisfits(model, format, fields);
    const duration = durationOf(directive);
    if (model.startsWith('gpt-4o-') && duration > 1_400) {
      throw new Refusal(400, `audio duration ${duration} seconds is longer than 1400 seconds which is the maximum`);
    }
    const usage = model.startsWith('gpt-4o-') ? tokensOf(duration) : { type: 'duration', seconds: Math.ceil(duration) };
    const segments = TURNS.map(({ speaker, start_s: start, end_s: end, text }, id) => ({
      ...{ id, start, end, text },
      ...(format === 'diarized_json' && { speaker: 'AB'[speaker], type: 'transcript.text.segment' }),
    }));
    if (format === 'verbose_json') {
      return { task: 'transcribe', language: language ?? 'english', duration, text: TEXT, segments, usage };
    }
    if (format === 'diarized_json') return { task: 'transcribe', duration, text: TEXT, segments, usage };
    const languages = [{ code: fields['languages[]'] ?? 'en' }];
    return { text: TEXT, ...(model.startsWith('gpt-transcribe') && { languages }), usage };
  },
  error: (status, message) => ({
    error: { message, type: 'stand_in_error', param: null, code: status === 429 ? 'rate_limit_exceeded' : null },
  }),
});

/** Throws `Refusal` for what OpenAI refuses: each model has its own formats and its own way to name the language. */
function refuseMisfits(model: string, format: string, fields: Record<string, string>): void {
  const isDiarize = /-diarize\b/.test(model);
  const isGpt = model.startsWith('gpt-');
  const formats = isDiarize ? ['json', 'diarized_json'] : isGpt ? ['json'] : ['json', 'verbose_json'];
  if (!formats.includes(format))
    throw new Refusal(400, `response_format '${format}' is not compatible with '${model}'`);
  if (isDiarize && !fields['chunking_strategy']) throw new Refusal(400, 'chunking_strategy is required');
  const takesMany = model.startsWith('gpt-transcribe');
  const wrong = takesMany ? 'language' : 'languages[]';
  if (fields[wrong] !== undefined) throw new Refusal(400, `${wrong} is not supported by '${model}'`);
}

/** Estimates the tokens of a recording: ten a second. */
function tokensOf(duration: number) {
  const audio_tokens = Math.ceil(duration * 10);
  const output_tokens = Math.ceil(TEXT.length / 4);
  return {
    type: 'tokens',
    input_tokens: audio_tokens,
    output_tokens,
    total_tokens: audio_tokens + output_tokens,
    input_token_details: { audio_tokens, text_tokens: 0 },
  };
}

export const UPLOAD_DIALECTS: readonly Dialect[] = [elevenlabs, whisper];
