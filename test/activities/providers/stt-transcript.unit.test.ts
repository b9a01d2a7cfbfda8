import { languageCode } from '../../../contract/values/constants.ts';
import { buildTranscript, withoutInvented, type Piece } from '../../../activities/providers/stt/transcript.ts';

const build = (pieces: Piece[], text = 'all of it') =>
  buildTranscript({ text, pieces, separator: ' ', language: undefined, durationS: undefined });

const rolesOf = (...speakers: (string | undefined)[]) =>
  build(speakers.map((speaker, index) => ({ speaker, text: `t${index}` }))).turns.map(({ role }) => role);

describe('A transcript', () => {
  it("§2.5 has roles of 1 to 64 characters: numbered speakers, or the provider's own names", () => {
    expect(rolesOf('speaker_0', 'SPEAKER_01', 'A', 'agent', 'Dr. Who', 'speaker 9')).to.deep.equal([
      'speaker 1',
      'speaker 2',
      'speaker A',
      'agent',
      'Dr. Who',
      'speaker 10',
    ]);
    expect(rolesOf('x'.repeat(500), ' two\nlines ', ' \n')).to.deep.equal(['x'.repeat(64), 'two lines', 'speaker']);
    expect(rolesOf(`${'x'.repeat(63)}😀`)[0]).to.satisfy((role: string) => role.isWellFormed() && role.length <= 64);
  });

  it('joins consecutive pieces of one speaker, and adds pieces without a speaker to the previous piece', () => {
    const { turns } = build([
      { speaker: 'A', text: 'one', start: 0, end: 1 },
      { speaker: 'A', text: 'two', start: 1, end: 2 },
      { text: 'three', start: 2, end: 3 },
      { speaker: 'B', text: 'four', start: 3, end: 4 },
      { speaker: 'A', text: 'five', start: 4, end: 5 },
    ]);
    expect(turns).to.deep.equal([
      { role: 'speaker A', text: 'one two three', start_s: 0, end_s: 3 },
      { role: 'speaker B', text: 'four', start_s: 3, end_s: 4 },
      { role: 'speaker A', text: 'five', start_s: 4, end_s: 5 },
    ]);
  });

  it('starts with the first speaker, who gets earlier pieces without a speaker', () => {
    const { turns } = build([{ text: 'Well,' }, { speaker: 'A', text: 'hello' }, { speaker: 'B', text: 'hi' }]);
    expect(turns).to.deep.equal([
      { role: 'speaker A', text: 'Well, hello' },
      { role: 'speaker B', text: 'hi' },
    ]);
  });

  it('without speakers keeps each piece with its times', () => {
    const { turns } = build([
      { text: 'one', start: 0, end: 1 },
      { text: ' ', start: 1, end: 2 },
      { text: 'two', start: 2, end: 3 },
    ]);
    expect(turns.map(({ text }) => text)).to.deep.equal(['one', 'two']);
  });

  it('omits silence and loops that the figures of the provider show, and keeps what people repeat', () => {
    const segment = (text: string, no_speech_prob = 0, avg_logprob = -0.2, compression_ratio = 1) => {
      return { text, no_speech_prob, avg_logprob, compression_ratio };
    };
    const kept = (...segments: ReturnType<typeof segment>[]) => withoutInvented(segments).map(({ text }) => text);
    expect(kept(segment(' Thank you for watching!', 0.96, -1.1), segment('Hello.'))).to.deep.equal(['Hello.']);
    expect(kept(segment('Yes.', 0.96, -0.3), segment('No.', 0.2, -1.5))).to.deep.equal(['Yes.', 'No.']);
    expect(kept(segment('(silence)'), segment(' . '), segment('[blank_audio]'), segment('…'))).to.deep.equal([]);
    const loop = Array.from({ length: 200 }, () => segment(' and then', 0.1, -0.1, 15));
    expect(kept(segment('Hello.'), ...loop)).to.deep.equal(['Hello.', ' and then']);
    expect(kept(segment('No.'), segment('No.'), segment('No.'))).to.deep.equal(['No.', 'No.', 'No.']);
    expect(kept({ ...segment('No figures.') })).to.deep.equal(['No figures.']);
  });

  it('has no turns if nothing was said', () => {
    for (const text of ['', ' . ', '[BLANK_AUDIO]', '(silence)', '…', '♪♪'])
      expect(build([], text), text).to.deep.include({
        turns: [],
        transcript: { text: '', language: null, duration_s: null },
      });
    expect(build([{ text: '[BLANK_AUDIO]' }], '[BLANK_AUDIO]').turns).to.deep.equal([]);
    expect(build([], '[laughs] 5').turns).to.have.length(1);
  });

  it('keeps masked words and the marks that replace personal data', () => {
    for (const text of [' *** you ***', ' **** this **** !', ' ***ь, верните деньги, ***', '**** you ****', '****'])
      expect(build([{ text }], text).turns, text).to.deep.equal([{ role: 'speaker', text: text.trim() }]);
    const pieces = ['Your name?', '[PERSON_NAME_1]', '[laughs]', '*laughs*', '*громко смеется*', '(REDACTED)'];
    const { turns } = build(pieces.map((text) => ({ text })));
    expect(turns.map(({ text }) => text)).to.deep.equal(['Your name?', '[PERSON_NAME_1]', '(REDACTED)']);
  });

  it('omits an end before the start', () => {
    expect(build([{ text: 'one', start: 5, end: 1 }]).turns).to.deep.equal([
      { role: 'speaker', text: 'one', start_s: 5 },
    ]);
  });

  it('without a text has the text of its turns', () => {
    expect(build([{ text: 'one' }, { text: 'two' }], '').transcript.text).to.equal('one\ntwo');
  });
});

describe('A language code', () => {
  it('§2.3 is ISO 639-1 if possible, without script or region, and none for Auto-Detect', () => {
    const codes = { 'Auto-Detect': undefined, uz: 'uz', UZ: 'uz', uzb: 'uz', 'uz-Cyrl-UZ': 'uz', eng: 'en' };
    const others = { 'en-US': 'en', 'zh-TW': 'zh', yue: 'yue', zz: 'zz', und: 'und', 'en-ab': 'en' };
    for (const [name, code] of Object.entries({ ...codes, ...others })) expect(languageCode(name), name).to.equal(code);
  });
});
