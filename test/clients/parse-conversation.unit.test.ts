import { FormatError, parseConversation } from 'conversation-analysis-client/uploads';

const ANN = { role: 'Ann', text: 'Hello, how can I help?' };
const BOB = { role: 'Bob', text: 'My parcel\nhas not arrived.' };
const OWN = [{ role: 'operator', text: 'Hello.', start_s: 1 }];

const FORMATS: Record<string, [text: string, turns: object[]]> = {
  'lines, the second one continued': ['Ann: Hello, how can I help?\nBob: My parcel\nhas not arrived.', [ANN, BOB]],
  'lines without a name': ['Hello.', [{ role: 'unknown', text: 'Hello.' }]],
  'lines of Windows with a byte order mark': [
    '\ufeffAnn: Hello, how can I help?\r\nBob: My parcel\r\nhas not arrived.',
    [ANN, BOB],
  ],
  'turns as JSON': [JSON.stringify(OWN), OWN],
  'a request as JSON': [JSON.stringify({ conversation: OWN }), OWN],
  'invalid turns, which the API reports': ['{"conversation": [1, "a"]}', [1, 'a'] as unknown as object[]],
  'JSON Lines': [[ANN, BOB].map((turn) => JSON.stringify(turn)).join('\n\n'), [ANN, BOB]],
  'messages of Twilio': [
    JSON.stringify({
      meta: { page: 0 },
      messages: [
        { author: 'Ann', body: ANN.text, media: null },
        { author: 'Bob', body: null },
      ],
    }),
    [ANN],
  ],
  WebVTT: [
    [
      'WEBVTT - A call\n\nNOTE recorded by A\n\nSTYLE\n::cue { color: red }',
      'intro\n00:01.000 --> 00:02.500 align:start\n<v.loud Ann>Hello, <b>how can I help?</b>',
      '01:00:03.000 --> 01:00:05.000\n<v Bob>My parcel\nhas not arrived.</v>\n',
    ].join('\n\n'),
    [
      { ...ANN, start_s: 1, end_s: 2.5 },
      { ...BOB, start_s: 3_603, end_s: 3_605 },
    ],
  ],
  SubRip: [
    '1\n00:00:01,000 --> 00:00:02,500\nAnn: Hello, how can I help?\n\n2\n00:00:02,500 --> 00:00:03,000\n{\\an8}<i>One moment.</i>\nBob: Thanks.\n',
    [
      { ...ANN, start_s: 1, end_s: 2.5 },
      { role: 'Ann', text: 'One moment.', start_s: 2.5, end_s: 3 },
      { role: 'Bob', text: 'Thanks.', start_s: 2.5, end_s: 3 },
    ],
  ],
  'a chat of WhatsApp on an iPhone': [
    '[12.03.26, 14:05:11] Ann: \u200eMessages are end-to-end encrypted.\n[12.03.26, 14:05:12] Ann: Hello, how can I help?\n' +
      '\u200e[12.03.26, 2:06:11\u202fPM] Bob: \u200eimage omitted\n[12.03.26, 14:06:11] Bob: My parcel\nhas not arrived.\n',
    [ANN, BOB],
  ],
  'a chat of WhatsApp on Android': [
    '12/03/2026, 14:05 - Ann created the group\nwith a long name\n12/03/2026, 14:05 - Ann: Hello, how can I help?\n' +
      '12/03/2026, 14:06 - Bob: <Media omitted>\n12/03/2026, 14:06 - Bob: My parcel\nhas not arrived.',
    [ANN, BOB],
  ],
};

describe('parseConversation', () => {
  it('reads', () => {
    for (const [name, [text, turns]] of Object.entries(FORMATS)) {
      expect(parseConversation(text), name).to.deep.equal(turns);
    }
  });

  it('replaces names with roles', () => {
    const text = 'Ann: Hello.\nBob: Hi.\nconstructor: Me too.';
    const rolesOf = (roles: Record<string, string>) => parseConversation(text, { roles }).map(({ role }) => role);
    expect(rolesOf({ Ann: 'operator', '*': 'client' })).to.deep.equal(['operator', 'client', 'client']);
    expect(rolesOf({ Ann: 'operator' })).to.deep.equal(['operator', 'Bob', 'constructor']);
  });

  it('reports the line that it cannot read', () => {
    const broken = [
      ['{"role": "a", "text": "b"}\n\n{"role":', 'Line 3'],
      ['WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n\nsecond\n00:0x --> 00:03.000\nHi.', 'Line 7'],
    ] as const;
    for (const [text, line] of broken) expect(() => parseConversation(text), line).to.throw(FormatError, line);
  });
});
