/** The wire format of OpenAI's transcriptions. */
import type { Dialect } from '../dialect.ts';
import { durationOf, TEXT, TURNS } from '../dialogue.ts';
import { uploadDialect } from '../stt-dialects.ts';

export const createDialects = (): readonly Dialect[] => [whisper];

const whisper = uploadDialect({
  provider: 'whisper',
  path: /^\/whisper\/v1\/audio\/transcriptions$/,
  fileField: 'file',
  answer({ response_format: format, language = 'english' }, directive) {
    const duration = durationOf(directive);
    const usage = { type: 'duration', seconds: Math.ceil(duration) };
    if (format !== 'verbose_json' && format !== 'diarized_json') return { text: TEXT, usage };
    const segments = TURNS.map(({ speaker, start_s: start, end_s: end, text }, id) => ({
      id,
      start,
      end,
      text,
      ...(format === 'diarized_json' && { speaker: 'AB'[speaker], type: 'transcript.text.segment' }),
    }));
    return { task: 'transcribe', language, duration, text: TEXT, segments, usage };
  },
  error: (status, message) => ({
    error: { message, type: 'stand_in_error', param: null, code: status === 429 ? 'rate_limit_exceeded' : null },
  }),
});
