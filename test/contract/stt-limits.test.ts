import { expect } from 'chai';
import { sttLimits } from '../../contract/providers.ts';

describe('What a speech-to-text vendor takes', () => {
  it('is 25 MiB for OpenAI, the form around the file included, and 1,400 s for its gpt-4o models', () => {
    for (const model of ['whisper-1', 'gpt-transcribe', null]) {
      const { max_bytes, max_duration_s } = sttLimits('whisper', model);
      expect(max_bytes).to.be.within(26_000_000, 25 * 1_024 * 1_024 - 1_024);
      expect(max_duration_s).to.equal(null);
    }
    for (const model of ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe-diarize']) {
      expect(sttLimits('whisper', model).max_bytes).to.equal(sttLimits('whisper', 'whisper-1').max_bytes);
      expect(sttLimits('whisper', model).max_duration_s).to.equal(1_400);
    }
  });

  it('is 5 GB and ten hours for ElevenLabs', () => {
    expect(sttLimits('elevenlabs', 'scribe_v2')).to.deep.equal({ max_bytes: 5_000_000_000, max_duration_s: 36_000 });
  });

  it("is not known for Aisha, nor for a model on a server of one's own", () => {
    const unknown = { max_bytes: null, max_duration_s: null };
    expect(sttLimits('aisha', null)).to.deep.equal(unknown);
    expect(sttLimits('whisper', 'Systran/faster-whisper-small')).to.deep.equal(unknown);
  });
});
