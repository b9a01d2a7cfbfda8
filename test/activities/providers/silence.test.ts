/** Silence, sounds and odd elements of transcripts. */
import { hasNoWords } from '../../../activities/providers/stt/transcript.ts';
import { answerJson, useFakeServer } from './fake-provider.ts';
import { memoryJob, sttProvider, sttRequest } from './stt-call.ts';

const word = (text: string, start: number, speaker_id: unknown = 'speaker_0', more: object = {}) => ({
  text,
  start,
  end: start + 0.4,
  speaker_id,
  type: 'word',
  ...more,
});

describe('A transcript', () => {
  const server = useFakeServer();
  const read = (name: 'elevenlabs' | 'whisper' | 'aisha' | 'local', body: unknown, fields: object = {}) => {
    server.behave(answerJson(200, body));
    return sttProvider(name, { baseUrl: server.url }).transcribe(sttRequest(fields), memoryJob());
  };

  for (const [name, body] of [
    ['whisper', { text: null }],
    ['local', { text: null, segments: null, duration: 12 }],
    ['aisha', { transcript: null }],
    ['elevenlabs', { text: null, words: [] }],
    [
      'elevenlabs',
      {
        text: '(ringing) (music)',
        words: [word('(ringing)', 0, null, { type: 'audio_event' }), word('(music)', 2, null, { type: 'audio_event' })],
      },
    ],
    ['whisper', { text: ' [Music] ♪ la la la ♪ *applause* <|nospeech|>' }],
    ['whisper', { text: '【音楽】（拍手） {noise} ♪ Hold music' }],
    ['whisper', { text: '[музыка]', segments: [{ text: '[музыка]', start: 0, end: 4 }] }],
  ] as const) {
    it(`of ${name} with ${JSON.stringify(body).slice(0, 90)} is empty, after one paid call`, async () => {
      const { transcript, turns, usage } = await read(name, body);
      expect([transcript.text, turns]).to.deep.equal(['', []]);
      expect(usage).to.have.property('audio_seconds');
      expect(server.requests).to.have.length(1);
    });
  }

  it('keeps words beside sounds, and no sound becomes a speaker', async () => {
    const words = [
      word('Good', 1),
      { type: 'spacing' },
      word('morning', 1.5),
      word('(music)', 3, 'speaker_2', { type: 'audio_event' }),
      { type: 'spacing', text: null, start: 3.4 },
      word('Hello', 5, 'speaker_1'),
    ];
    const { turns } = await read('elevenlabs', { text: 'Good morning (music) Hello', words });
    expect(turns.map(({ role, text }) => [role, text])).to.deep.equal([
      ['speaker 1', 'Good morning'],
      ['speaker 2', 'Hello'],
    ]);
    const diarization = [
      { speaker: 'SPEAKER_01', text: '[музыка]', start: 0, end: 1 },
      { speaker: 'SPEAKER_00', text: 'Да', start: 1, end: 2 },
    ];
    const heard = await read('aisha', { transcript: '[музыка] Да', diarization });
    expect(heard.turns.map(({ role, text }) => [role, text])).to.deep.equal([['speaker 1', 'Да']]);
    for (const text of ['She said (quietly) yes', '5 * 3 * 2', 'a < b']) expect(hasNoWords(text), text).to.equal(false);
  });

  it('loses one odd element, and no other', async () => {
    const words = [
      word('Good', 1),
      null,
      7,
      { text: 42, type: 'word' },
      word(' morning', 1.5, 'speaker_0', { start: 'soon' }),
      word('Hello', 5, 1),
    ];
    const { turns } = await read('elevenlabs', { text: 'x', words });
    expect(turns.map(({ role, text }) => [role, text])).to.deep.equal([
      ['speaker 1', 'Good morning'],
      ['1', 'Hello'],
    ]);
    const segments = [{ text: 'Hello', start: 0, end: 1 }, null, { start: 1 }, { text: 'there', start: 2, end: 3 }];
    expect((await read('whisper', { text: 'Hello there', segments })).turns).to.have.length(2);
    const diarization = [
      { speaker: 'SPEAKER_00', text: 'Hello', start: 0, end: 1 },
      'odd',
      { speaker: 'SPEAKER_01', text: 'Ha', start: 2, end: 3 },
    ];
    expect((await read('aisha', { transcript: 'Hello Ha', diarization })).turns).to.have.length(2);
    // The text is an element, too.
    expect((await read('elevenlabs', { words })).transcript.text).to.contain('Good morning');
    expect((await read('whisper', { segments })).transcript.text).to.equal('Hello there');
    expect((await read('aisha', { diarization })).transcript.text).to.contain('Ha');
  });

  it('of two channels with the same words is that of copies only if the words have the same times', async () => {
    const channel = (offset: number, channel_index: number) => ({
      text: 'Good morning to you',
      channel_index,
      words: ['Good', 'morning', 'to', 'you'].map((text, index) => word(text, offset + index, null)),
    });
    const roles = { channelRoles: ['operator', 'client'] };
    const apart = await read('elevenlabs', { transcripts: [channel(0, 0), channel(10, 1)] }, roles);
    expect(apart.turns.map(({ role }) => role)).to.deep.equal(['operator', 'client']);
    const copies = await read('elevenlabs', { transcripts: [channel(0, 0), channel(0.1, 1)] }, roles);
    expect(copies.turns.map(({ role }) => role)).to.deep.equal(['speaker']);
  });
});
