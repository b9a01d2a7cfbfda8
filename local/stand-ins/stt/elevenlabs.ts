/** The wire format of ElevenLabs. */
import { randomUUID } from 'node:crypto';
import type { Dialect } from '../dialect.ts';
import { durationOf, joinSpoken, TURNS, type SpokenTurn } from '../dialogue.ts';
import { uploadDialect } from '../stt-dialects.ts';

/** Returns the speaker number of a turn; null without diarization. */
type SpeakerOf = (turn: SpokenTurn) => number | null;

export const createDialects = (): readonly Dialect[] => [elevenlabs];

const elevenlabs = uploadDialect({
  provider: 'elevenlabs',
  path: /^\/elevenlabs\/v1\/speech-to-text$/,
  fileField: 'file',
  answer({ language_code = 'eng', diarize, use_multi_channel }, directive) {
    const isDiarized = diarize === 'true';
    const { channels = 2 } = directive;
    const call = { transcription_id: randomUUID(), audio_duration_secs: durationOf(directive) };
    const transcriptOf = (turns: readonly SpokenTurn[], speakerOf: SpeakerOf) => ({
      language_code,
      language_probability: 0.98,
      text: joinSpoken(turns),
      words: wordsWithTimes(turns, speakerOf),
    });
    if (use_multi_channel !== 'true' || channels === 1) {
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

/** Returns the words and spaces of the turns, with times spread evenly over each turn. */
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
