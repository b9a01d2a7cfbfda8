/** The wire format of OpenAI's transcriptions. */
import { Refusal, type Dialect } from '../dialect.ts';
import { durationOf, TEXT, TURNS } from '../dialogue.ts';
import { uploadDialect } from '../stt-dialects.ts';

export const createDialects = (): readonly Dialect[] => [whisper];

const whisper = uploadDialect({
  provider: 'whisper',
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
      id,
      start,
      end,
      text,
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

/** Throws `Refusal` for invalid requests. Models differ in the supported formats and in the name of the language parameter. */
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

/** Estimates the tokens of a recording: ten per second. */
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
