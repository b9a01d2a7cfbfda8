import { expect } from 'chai';
import { sttLimits } from '../../contract/values/providers.ts';

describe('The limits of a speech-to-text provider', () => {
  it('are 25 MiB with the form for OpenAI, and 1,400 s for its gpt-4o models', () => {
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

  it('exclude raw AAC for OpenAI', () => {
    for (const model of ['whisper-1', 'gpt-transcribe', 'gpt-4o-transcribe']) {
      const { media_types } = sttLimits('whisper', model);
      expect(media_types).to.include.members(['audio/mp4', 'audio/webm']).and.not.include('audio/aac');
    }
  });

  it('are 5 GB and ten hours for ElevenLabs', () => {
    const { max_bytes, max_duration_s, media_types } = sttLimits('elevenlabs', 'scribe_v2');
    expect([max_bytes, max_duration_s, media_types]).to.deep.equal([5_000_000_000, 36_000, null]);
  });

  it('are MP3, WAV, OGG and M4A of any length for Aisha', () => {
    const media_types = ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/mp4'];
    expect(sttLimits('aisha', null)).to.deep.equal({ max_bytes: null, max_duration_s: null, media_types });
  });

  it("are unknown for a model on the user's own server", () => {
    const unknown = { max_bytes: null, max_duration_s: null, media_types: null };
    expect(sttLimits('whisper', 'Systran/faster-whisper-small')).to.deep.equal(unknown);
  });
});
