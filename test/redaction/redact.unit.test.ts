import { redact } from '../../redaction/redact.ts';
import type { RuleKind } from '../../contract/values/redaction-kinds.ts';

/** Turns of a client; those that begin with `>` are the operator's. */
const toTurns = (lines: readonly string[]) =>
  lines.map((line) => ({ role: line.startsWith('>') ? 'operator' : 'client', text: line.replace(/^>/, '') }));

const redactLines = (lines: readonly string[], kinds?: readonly RuleKind[]) =>
  redact(toTurns(lines), kinds).turns.map(({ role, text }) => (role === 'operator' ? `>${text}` : text));

/** Guarantee: lines before, lines after. */
const REPLACED: Record<string, [before: string[], after: string[]]> = {
  'written kinds': [
    [
      'card 4111 1111 1111 1111, phone +998 (90) 123-45-67, mail a.b+c@d.co.uk, IBAN GB29 NWBK 6016 1331 9268 19.',
      'паспорт AB1234567, ПИНФЛ 31205890120045, СНИЛС 112-233-445 95, CVV 123',
    ],
    [
      'card [CARD_1], phone [PHONE_1], mail [EMAIL_1], IBAN [IBAN_1].',
      'паспорт [ID_1], ПИНФЛ [ID_2], СНИЛС [ID_3], CVV [CODE_1]',
    ],
  ],
  'spoken kinds in English': [
    [
      '>Card number?',
      'four one double one, eleven eleven, eleven eleven, one one one one',
      '>And the three digits on the back?',
      'oh four two. My mail is anna dot k at mail dot com, my cell is four one five, five five five, oh one nine eight.',
    ],
    [
      '>Card number?',
      '[CARD_1]',
      '>And the three digits on the back?',
      '[CODE_1]. My mail is [EMAIL_1], my cell is [PHONE_1].',
    ],
  ],
  'spoken kinds in Russian': [
    [
      '>Серия и номер паспорта?',
      'сорок пять ноль восемь шестьсот двенадцать триста сорок пять',
      'телефон: восемь девятьсот три три нуля двенадцать сорок',
    ],
    ['>Серия и номер паспорта?', '[ID_1]', 'телефон: [PHONE_1]'],
  ],
  'spoken kinds in Uzbek in both scripts': [
    [
      "Telefonim to'qson, bir yuz yigirma uch, qirq besh, oltmish yetti.",
      'СМС код: нол тўққиз ўн бир',
      'Manzil: aziz kuchukcha mail nuqta ru',
    ],
    ['Telefonim [PHONE_1].', 'СМС код: [CODE_1]', 'Manzil: [EMAIL_1]'],
  ],
  'numbers over several turns, with replies between': [
    ['>Card?', 'four one one one', '>uh-huh', 'one one one one, uh', '>go on', '1111', '>yes', 'eleven eleven'],
    ['>Card?', '[CARD_1]', '>uh-huh', '[CARD_1], uh', '>go on', '[CARD_1]', '>yes', '[CARD_1]'],
  ],
  'repetitions by the other side, also of a part and with a misheard digit': [
    ['My phone is 415 555 0198.', '>four one five, five five five, oh one nine eight?', '>Sorry, was the end 0197?'],
    ['My phone is [PHONE_1].', '>[PHONE_1]?', '>Sorry, was the end [PHONE_1]?'],
  ],
  'a card with a misheard digit': [['It is 4111 1111 1111 1112'], ['It is [CARD_1]']],
  'a card before a unit or after a currency sign': [
    ['4111 1111 1111 1111 am I right?', '8600-1404-4162-5588 сум', '$4111 1111 1111 1111', '3782 822463 10005 may I?'],
    ['[CARD_1] am I right?', '[CARD_2] сум', '$[CARD_1]', '[CARD_3] may I?'],
  ],
  'a card whose first groups are words, before a unit': [
    ['восемь шесть ноль ноль 1404 4162 5588 рублей'],
    ['[CARD_1] рублей'],
  ],
  'words that a recognizer misheard': [
    ['My card: for one won one, one to one one, too one one one, ate one one four'],
    ['My card: [CARD_1]'],
  ],
  'a correction, with what was wrong': [
    ['>Card?', '4111 1111 12 no, sorry, 11 11 1111', '>4111 1111 1111 1111.'],
    ['>Card?', '[CARD_1]', '>[CARD_2].'],
  ],
  'one value once, in whatever form': [
    ['Call +1 415 555 0198 or 415 555 0199.', '>So (415) 555-0198 or four one five five five five oh one double nine.'],
    ['Call [PHONE_1] or [PHONE_2].', '>So [PHONE_1] or [PHONE_2].'],
  ],
  'the number that was asked for, and none after it': [
    ['>The security code?', '914', '>Thank you. That makes eighty-four fifty.'],
    ['>The security code?', '[CODE_1]', '>Thank you. That makes eighty-four fifty.'],
  ],
  'after placeholders that the text has already': [['[CARD_3] and 4111111111111111'], ['[CARD_3] and [CARD_4]']],
};

const KEPT: Record<string, string[]> = {
  amounts: [
    'It cost $1,250.00, then 18 790 рублей and ikki million uch yuz ming so‘m.',
    'Fifty-eight dollars and 20%.',
  ],
  'amounts after a word for a code': ['my PIN worked for 300 days', 'за пин-код 250 рублей', 'kod uchun 200 so‘m'],
  'dates, times and versions': [
    '12.05.2024 at 14:30, 2024-05-12',
    'восемнадцатого марта в девятнадцать тридцать',
    '10.0.12.255 and 6.5.2',
  ],
  'numbers of orders': [
    '>What is the order number?',
    'one two three four five six seven eight nine',
    '>Заказ № 12345678',
    '12345-buyurtma',
  ],
};

describe('Redaction of a conversation', () => {
  for (const [guarantee, [before, after]] of Object.entries(REPLACED)) {
    it(`replaces ${guarantee}`, () => expect(redactLines(before)).to.deep.equal(after));
  }

  for (const [what, lines] of Object.entries(KEPT)) {
    it(`keeps ${what}`, () => expect(redactLines(lines)).to.deep.equal(lines));
  }

  it('replaces the chosen kinds only, but every number of a card’s length with cards', () => {
    const lines = ['PINFL 31205890120045, phone +998901234567'];
    expect(redactLines(lines, ['phone'])).to.deep.equal(['PINFL 31205890120045, phone [PHONE_1]']);
    expect(redactLines(lines, ['card'])).to.deep.equal(['PINFL [CARD_1], phone +998901234567']);
  });

  it('returns where each placeholder stands, and the original except for cards and codes', () => {
    const lines = Object.values(REPLACED).flatMap(([before]) => before);
    const turns = toTurns(lines).map((turn, index) => ({ ...turn, start_s: index }));
    const redaction = redact(turns);
    expect(redaction.turns.map(({ start_s }) => start_s)).to.deep.equal(turns.map(({ start_s }) => start_s));
    for (const { kind, placeholder, turn, start, end, original } of redaction.items) {
      expect(redaction.turns[turn]!.text.slice(start, end)).to.equal(placeholder);
      if (kind === 'card' || kind === 'code') expect(original).to.equal(null);
      else expect(turns[turn]!.text).to.include(original);
    }
    expect(new Set(redaction.items.map(({ kind }) => kind))).to.have.all.keys(
      'card',
      'code',
      'id',
      'phone',
      'email',
      'iban',
    );
  });
});
