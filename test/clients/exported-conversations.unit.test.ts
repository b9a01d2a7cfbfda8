// cspell:words Dzongkha Gesendet Montag Kakao écrit
import { decodeText, FormatError, readConversation } from 'conversation-analysis-client/uploads';

const ANN = 'Hello, how can I help?';
const BOB = 'My card is lost.';
const TWO = [
  ['Ann', ANN],
  ['Bob', BOB],
];
/** Two-letter codes of languages that ICU knows, and regions that write times in their own way. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const REGIONS = [
  'ar-EG',
  'ar-MA',
  'de-AT',
  'en-GB',
  'en-ZA',
  'es-MX',
  'fa-AF',
  'fr-CA',
  'pt-PT',
  'uz-Cyrl',
  'zh-TW',
  'zh-HK',
];
/** Dzongkha has words between the numbers of a time. */
const UNREAD = new Set(['dz']);
const LOCALES = [...LETTERS.flatMap((first) => LETTERS.map((second) => first + second)), ...REGIONS].filter(
  (code) => !UNREAD.has(code) && Intl.DateTimeFormat.supportedLocalesOf(code).length > 0,
);
const DAYS = Array.from({ length: 365 }, (_, day) => day);

/** Returns a chat with a message on each day of a year, at all hours. */
function writeChat(locale: string, isHalf: boolean, write: (stamp: string, name: string) => string): string {
  const format = new Intl.DateTimeFormat(locale, {
    ...(isHalf ? { hour12: true } : {}),
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return DAYS.map((day) => {
    const time = Date.UTC(2026, 0, 1 + day, (day * 7) % 24, (day * 13) % 60);
    return write(format.format(time), day % 2 === 0 ? 'Ann' : 'Bob') + String(day);
  }).join('\n');
}

const turnsOf = (text: string) => readConversation(text).turns.map(({ role, text: said }) => [role, said]);

/** Forms of the same two turns, as programs and locales write them. */
const SAME: Record<string, string> = {
  'SubRip without numbers': `00:00:01,000 --> 00:00:02,000\nAnn: ${ANN}\n\n00:00:03,000 --> 00:00:04,000\nBob: ${BOB}\n`,
  'two speakers in a cue': `WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ann>${ANN}</v>\n<v Bob>${BOB}</v>\n`,
  'two names in a cue': `1\n00:00:01,000 --> 00:00:04,000\nAnn: ${ANN}\nBob: ${BOB}\n`,
  'a cue that ends before it starts': `1\n00:00:01,000 --> 00:00:02,000\nAnn: ${ANN}\n\n2\n00:00:05,000 --> 00:00:04,000\nBob: ${BOB}\n`,
  'a time before the name': `[00:00:01] Ann: ${ANN}\n[00:00:04] Bob: ${BOB}`,
  'a chat with the year first over the end of a month': `[2026/2/28 14:05] Ann: ${ANN}\n[2026/3/1 14:06] Bob: ${BOB}`,
  'marks in a stamp and in names': `\u200e[1\u200f/3\u200f/2026، 14:05] \u202aAnn\u202c: ${ANN}\n[1\u200f/3\u200f/2026، 14:06] ~\u202fBob: ${BOB}`,
  'WhatsApp in Finnish': `1.2.2026 klo 14.05 - Ann: ${ANN}\n1.2.2026 klo 14.06 - Bob: ${BOB}`,
  'WhatsApp in Indonesian': `01/02/26 14.05 - Ann: ${ANN}\n01/02/26 14.06 - Bob: ${BOB}`,
  'WhatsApp in Bulgarian': `1.02.26 г., 14:05 ч. - Ann: ${ANN}\n1.02.26 г., 14:06 ч. - Bob: ${BOB}`,
  'WhatsApp in Spanish': `28/3/2026, 9:29 p. m. - Ann: ${ANN}\n28/3/2026, 9:30 p. m. - Bob: ${BOB}`,
  "Telegram's messages": `Ann, [12.03.2026 14:05]\n${ANN}\n\nBob, [12.03.2026 14:06]\n${BOB}\n`,
  "KakaoTalk's export": `2026년 3월 12일 오후 2:05, Ann : ${ANN}\n2026년 3월 12일 오후 2:06, Bob : ${BOB}\n`,
  'names of months': `Mar 12, 2026, 2:05 PM - Ann: ${ANN}\n12 мар. 2026 г., 14:06 - Bob: ${BOB}\n`,
  "Skype's edited message": `[3/12/2026 2:05:11 PM | Edited 2:05:20 PM] Ann: ${ANN}\n[3/12/2026 2:06:11 PM] Bob: ${BOB}\n`,
  'full-width colons': `Ann：${ANN}\nBob：${BOB}\n`,
  'parts of a message': JSON.stringify({
    messages: [
      { from: 'Ann', text: ['Hello, ', { type: 'bold', text: 'how can I help?' }] },
      { from: 'Bob', text: BOB },
    ],
  }),
  "Telegram's JSON": JSON.stringify({
    name: 'Bob',
    messages: TWO.map(([from, text], id) => ({ id, type: 'message', date: '2026-03-12', from, text })),
  }),
  'a list of words before the turns': JSON.stringify({
    words: BOB.split(' ').map((text) => ({ text, speaker: 'Bob' })),
    utterances: TWO.map(([speaker, text]) => ({ speaker, text })),
  }),
};

describe('Exported conversations', () => {
  for (const [form, text] of Object.entries(SAME)) {
    it(`have the same turns with ${form}`, () => expect(turnsOf(text)).to.deep.equal(TWO));
  }

  it('keep text behind a blank line, an attachment, or the line of the name, and count what is skipped', () => {
    expect(turnsOf('WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ann>One.\n\nTwo.</v>\n')).to.deep.equal([
      ['Ann', 'One.\nTwo.'],
    ]);
    const chat =
      '1/2/26, 11:26 am - Bob: a.jpg (file attached)\nIt is broken\n1/2/26, 11:27 am - Ann: \nSend it back\n1/2/26, 11:28 am - Eve joined';
    expect(readConversation(chat)).to.deep.equal({
      format: 'whatsapp',
      turns: [
        { role: 'Bob', text: 'It is broken' },
        { role: 'Ann', text: 'Send it back' },
      ],
      skipped: 1,
    });
  });

  it('of a year in every language of ICU keep each message with its author', () => {
    expect(LOCALES.length).to.be.above(60);
    for (const locale of LOCALES) {
      for (const isHalf of [false, true]) {
        for (const write of [
          (stamp: string, name: string) => `[${stamp}] ${name}: `,
          (stamp: string, name: string) => `${stamp} - ${name}: `,
        ]) {
          const chat = writeChat(locale, isHalf, write);
          const expected = DAYS.map((day) => [day % 2 === 0 ? 'Ann' : 'Bob', String(day)]);
          expect(turnsOf(chat), `${locale}: ${chat.slice(0, 80)}`).to.deep.equal(expected);
        }
      }
    }
  }).timeout(60_000);

  it('give roles to telephone numbers however they are written', () => {
    const chat =
      '[1/3/2026, 10:00] ~\u202f\u202a+998\u00a090\u00a0123\u201145\u201167\u202c: Hi\n[1/3/2026, 10:01] Ann: Hello';
    const roles = { '+998901234567': 'client', '*': 'operator' };
    expect(readConversation(chat, { roles }).turns.map(({ role }) => role)).to.deep.equal(['client', 'operator']);
  });

  it('have no speaker before a colon in a sentence or in the header of a mail', () => {
    const said = 'Ann: Please write this down.\nAccount number: 12345\nBob: Thank you.\nAnn: Bye.\nBob: Bye.';
    expect(turnsOf(said).map(([role]) => role)).to.deep.equal(['Ann', 'Bob', 'Ann', 'Bob']);
    const mail = 'From: Ann <ann@example.com>\nTo: Bob\nSubject: Card\n\nHello Bob\n';
    for (const text of [
      mail,
      `${mail}\n${mail}`,
      'From: Ann\nSubject: Card\n\nHello Bob',
      'Ann  9:30 AM\nHello\nBob  9:31 AM\nHi',
      '<!DOCTYPE html><p>Hi</p>',
      '00:00:01:12 - 00:00:03:00\nHi',
      'Note: it is late.',
      '{that} is all',
      '[laughs]',
    ])
      expect(readConversation(text)).to.deep.equal({
        format: 'text',
        turns: [{ role: 'unknown', text: text.trim() }],
        skipped: 0,
      });
    expect(readConversation(mail, { roles: { Subject: 'client' } }).format).to.equal('names');
  });

  it('are cut into turns of the longest length, at the end of a line or between characters', () => {
    const lengthsOf = (text: string) => turnsOf(text).map(([, said = '']) => said.length);
    expect(lengthsOf('a'.repeat(100_000))).to.deep.equal([100_000]);
    expect(lengthsOf(`${'a'.repeat(60_000)}\n${'b'.repeat(60_000)}`)).to.deep.equal([60_000, 60_000]);
    expect(lengthsOf(`a${'😀'.repeat(50_000)}`)).to.deep.equal([99_999, 2]);
  });

  it('are refused as invalid JSON with the place', () => {
    expect(() => readConversation('{"a": [1],}')).to.throw(FormatError, 'Line 1');
  });

  it('are read in UTF-8 and UTF-16, and refused in other encodings', () => {
    const text = 'Анна: Здравствуйте, Bob';
    expect(decodeText(new TextEncoder().encode(text))).to.equal(text);
    expect(decodeText(Buffer.from(`\ufeff${text}`, 'utf16le'))).to.equal(text);
    expect(() => decodeText(new Uint8Array([0x41, 0x0a, 0xcf, 0xf0, 0xe8]))).to.throw(
      FormatError,
      'Line 2 is not UTF-8',
    );
  });
});
