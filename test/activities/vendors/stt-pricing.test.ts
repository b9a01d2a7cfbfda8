import { expect } from 'chai';
import { createPriceOf } from '../../../activities/vendors/pricing.ts';
import type { SttUsage } from '../../../activities/vendors/stt/usage.ts';
import type { SttProviderName } from '../../../contract/constants.ts';

const HOUR: SttUsage = { audio_seconds: 3_600 };
/** 1,000 tokens of audio, 200 of text, 100 of output. */
const TOKENS: SttUsage = { audio_seconds: 3_600, input_tokens: 1_200, input_audio_tokens: 1_000, output_tokens: 100 };

const CASES: [SttProviderName, string | null, SttUsage | null, number | null][] = [
  ['whisper', 'whisper-1', HOUR, 0.36],
  ['whisper', 'whisper-1', { audio_seconds: 1 }, 0.0001],
  ['whisper', 'whisper-1', TOKENS, 0.36],
  ['whisper', 'gpt-transcribe', HOUR, 0.27],
  ['whisper', 'gpt-transcribe', TOKENS, 0.27],
  // 200 × $2.50 + 1,000 × $6 + 100 × $10 a million
  ['whisper', 'gpt-4o-transcribe', TOKENS, 0.0075],
  ['whisper', 'gpt-4o-transcribe-diarize', TOKENS, 0.0075],
  ['whisper', 'gpt-4o-mini-transcribe', TOKENS, 0.00375],
  ['whisper', 'gpt-4o-transcribe', HOUR, 0.36],
  ['whisper', 'gpt-4o-transcribe-diarize', HOUR, 0.36],
  ['whisper', 'gpt-4o-mini-transcribe', HOUR, 0.18],
  ['whisper', 'gpt-4o-mini-transcribe-2025-12-15', HOUR, 0.18],
  ['whisper', 'gpt-4o-mini-transcribe-2025-12-15', TOKENS, 0.18],
  ['whisper', 'Systran/faster-whisper-small', HOUR, null],
  ['elevenlabs', 'scribe_v2', HOUR, 0.22],
  ['elevenlabs', 'scribe_v2', { audio_seconds: 36 }, 0.0022],
  ['elevenlabs', 'scribe_v9', HOUR, null],
  ['elevenlabs', 'scribe_v2', null, null],
  ['aisha', null, HOUR, null],
];

describe('The price of a transcription', () => {
  const priceOf = createPriceOf();
  for (const [provider, model, usage, usd] of CASES) {
    it(`by ${provider} ${model ?? ''} with ${JSON.stringify(usage)} is ${usd ?? 'not known'}`, () => {
      expect(priceOf(provider, model, usage)).to.equal(usd);
    });
  }
});
