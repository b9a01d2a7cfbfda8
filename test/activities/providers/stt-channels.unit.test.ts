import { mergeChannels } from '../../../activities/providers/stt/merge-channels.ts';
import { buildTranscript } from '../../../activities/providers/stt/transcript.ts';
import type { SttRequest } from '../../../activities/providers/stt/provider.ts';
import { answerJson, providerFailure, useFakeServer } from './fake-provider.ts';
import { memoryJob, sttProvider, sttRequest } from './stt-call.ts';

const ROLES = ['operator', 'client'];

/** Returns words of 0.2 s with spaces between them, in the provider's format. */
const words = (startS: number, text: string, speaker = 0) =>
  text.split(' ').flatMap((word, index) => {
    const start = startS + index * 0.25;
    const spoken = {
      text: word,
      start,
      end: start + 0.2,
      type: 'word',
      speaker_id: `speaker_${speaker}`,
      logprob: -0.1,
    };
    return index === 0 ? [spoken] : [{ text: ' ', start, end: start, type: 'spacing' }, spoken];
  });

const transcript = (channel_index: number | undefined, ...said: [number, string][]) => ({
  language_code: 'uzb',
  language_probability: 0.9,
  text: said.map(([, text]) => text).join(' '),
  words: said.flatMap(([start, text], index) => [
    ...(index === 0 ? [] : [{ text: ' ', start, end: start, type: 'spacing' }]),
    ...words(start, text, channel_index),
  ]),
  ...(channel_index !== undefined && { channel_index }),
});

const OPERATOR = transcript(0, [0, 'Good morning.'], [4, 'The order number, please?']);
const CLIENT = transcript(1, [1, 'Hello, my parcel is late.'], [6, 'It is 4711.']);

describe('Two channels with elevenlabs', () => {
  const server = useFakeServer();

  const ask = (fields: Partial<SttRequest> = {}) =>
    sttProvider('elevenlabs', { baseUrl: server.url }).transcribe(
      sttRequest({ channelRoles: ROLES, ...fields }),
      memoryJob(),
    );

  const answer = (...transcripts: object[]) => server.behave(answerJson(200, { transcripts, transcription_id: 't-1' }));

  it('become one conversation in the order of speech, with the roles of the channels', async () => {
    answer(OPERATOR, CLIENT);
    const { transcript: heard, turns, providerRequestId } = await ask();
    expect(turns.map(({ role, text, start_s }) => [role, text, start_s])).to.deep.equal([
      ['operator', 'Good morning.', 0],
      ['client', 'Hello, my parcel is late.', 1],
      ['operator', 'The order number, please?', 4],
      ['client', 'It is 4711.', 6],
    ]);
    expect(heard).to.deep.equal({ text: turns.map(({ text }) => text).join('\n'), language: 'uz', duration_s: 42 });
    expect(providerRequestId).to.equal('t-1');
  });

  it('that are copies of one are read once, without roles', async () => {
    answer(transcript(0, [0, 'My card is lost.']), transcript(1, [0.01, 'My card is lost.']));
    expect((await ask()).turns).to.deep.equal([{ role: 'speaker', text: 'My card is lost.' }]);
    answer(transcript(0, [0, 'Hello.']), transcript(1, [1, 'Hello.']));
    expect((await ask()).turns, 'people greet each other').to.have.length(2);
  });

  it('are identified by their numbers, otherwise by their order', async () => {
    for (const transcripts of [
      [CLIENT, OPERATOR],
      [transcript(undefined, [0, 'Good morning.']), transcript(undefined, [1, 'Hello.'])],
    ]) {
      answer(...transcripts);
      expect((await ask()).turns[0]).to.include({ role: 'operator', text: 'Good morning.' });
    }
  });

  it('may be silent or without words', async () => {
    answer(OPERATOR, transcript(1));
    expect((await ask()).turns.map(({ role }) => role)).to.deep.equal(['operator']);
    answer(transcript(0), transcript(1));
    expect(await ask()).to.deep.include({ turns: [] });
    answer({ ...OPERATOR, words: null }, { ...CLIENT, words: 'many' });
    expect((await ask()).turns.map(({ role, text }) => [role, text])).to.deep.equal([
      ['operator', OPERATOR.text],
      ['client', CLIENT.text],
    ]);
  });

  for (const [what, body, found] of [
    ['one channel, which is answered as a single transcript', { ...OPERATOR, audio_duration_secs: 42 }, 1],
    ['three channels', { transcripts: [OPERATOR, CLIENT, transcript(2)], audio_duration_secs: 126 }, 3],
    ['no channel', { transcripts: [] }, 1],
  ] as const) {
    it(`that turn out to be ${what} are a permanent failure with the charged usage`, async () => {
      server.behave(answerJson(200, body));
      const { fault, isFinal, message, details } = await providerFailure(ask(), 'elevenlabs');
      expect([fault, isFinal]).to.deep.equal(['bad_input', true]);
      expect(message).to.contain(`found ${found} channels`).and.contain('channel_roles name 2');
      expect(details.usage?.audio_seconds).to.be.greaterThan(0);
    });
  }

  const invalid = ['7', '[null]', '[{"words":[]}]'].map((transcripts) => `{"transcripts":${transcripts}}`);
  for (const body of ['', 'null', '{}', ...invalid]) {
    it(`in the invalid response ${body || '(empty)'} are incomplete`, async () => {
      server.behave(answerJson(200, body));
      expect((await providerFailure(ask(), 'elevenlabs')).fault).to.equal('incomplete');
    });
  }
});

describe('Merged channels', () => {
  const turnsOf = (operator: [number, string][], client: [number, string][]) => {
    const pieces = mergeChannels([
      { role: 'operator', pieces: transcript(0, ...operator).words },
      { role: 'client', pieces: transcript(1, ...client).words },
    ]);
    const { turns } = buildTranscript({ text: '', pieces, separator: '', language: undefined, durationS: undefined });
    return turns.map(({ role, text }) => `${role}: ${text}`);
  };

  it('keep every word of simultaneous speech: the first speaker continues to the next pause', () => {
    expect(turnsOf([[0, 'I will have it delivered tomorrow']], [[0.5, 'no no']])).to.deep.equal([
      'operator: I will have it delivered tomorrow',
      'client: no no',
    ]);
  });

  it('place a short reply between the two sentences around it', () => {
    const operator: [number, string][] = [
      [0, 'How are you?'],
      [1.5, 'Good to hear.'],
    ];
    expect(turnsOf(operator, [[0.8, 'Fine.']])).to.deep.equal([
      'operator: How are you?',
      'client: Fine.',
      'operator: Good to hear.',
    ]);
  });

  it('keep the pauses of one speaker within one turn while nobody else speaks', () => {
    const operator = ['Well.', 'So.', 'Yes.'].map((text, index): [number, string] => [2 * index, text]);
    expect(turnsOf(operator, [[9, 'And?']])).to.deep.equal(['operator: Well. So. Yes.', 'client: And?']);
  });
});
