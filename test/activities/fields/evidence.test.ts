import { checkEvidence } from '../../../activities/fields/check-evidence.ts';
import { normalForm } from '../../../contract/fields/fold.ts';
import { createSlices } from '../../../activities/fields/in-slices.ts';
import { isValueInQuote } from '../../../activities/fields/value-in-quote.ts';
import type { Quote } from '../../../contract/fields/result-fields.ts';
import type { Turn } from '../../../contract/sessions/sessions.ts';
import { expectNoBlock } from '../../support/longest-block.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { field } from './fields.ts';

const TURNS: Turn[] = [
  { role: 'operator', text: 'Good morning — how can I help you today?' },
  { role: 'client', text: 'My parcel hasn’t arrived, and you took 184 500 soum from my card on the 5th.' },
  { role: 'operator', text: 'Мы отправили ваш заказ в понедельник, но курьер ещё не приехал на склад.' },
  { role: 'client', text: 'Men buyurtmani uch kun oldin toʻladim, lekin hech kim qoʻngʻiroq qilmadi.' },
  { role: 'operator', text: 'Good morning — I mean, I’m sorry. Your café order №12 is on its way.' },
  { role: 'client', text: '…' },
  { role: 'client', text: 'Курьер так и не приехал.' },
  { role: 'client', text: 'It is [CARD_1], and my phone is [PHONE_1].' },
];

const of = (piece: string) => piece.repeat(Math.ceil(100_000 / piece.length)).slice(0, 100_000);

const PIECES = [
  'мас',
  '- ',
  'a b ',
  'client: ',
  '我',
  "a'",
  '1,',
  '!',
  '\u{1100}\u{1161}',
  '\u{fdfa}',
  'e\u0301\u0316',
];

const HOSTILE_TURNS: [what: string, text: string][] = [
  ...PIECES.map((piece): [string, string] => [
    JSON.stringify(piece),
    `my order number is ${of(piece)}`.slice(0, 100_000),
  ]),
  ['combining marks in the wrong order', `my order number is a${'\u0345'.repeat(50_000)}${'\u0334'.repeat(49_980)}`],
];

const claim = (turn: number, quote: string) => ({ field: 'a', turn, quote });

async function check(turn: number, quote: string, turns = TURNS) {
  const { a } = await checkEvidence(turns, [field('a', 'boolean')], { a: true }, [claim(turn, quote)]);
  return a!;
}

const foundBy = async (turn: number, quote: string, turns?: Turn[]): Promise<Quote | undefined> =>
  (await check(turn, quote, turns)).quotes[0];

describe('The check of quotes', () => {
  it('returns the text of the conversation, whatever form its words have in the quote', async () => {
    expect(await foundBy(4, 'GOOD MORNING I mean Im sorry')).to.deep.equal({
      turn: 4,
      role: 'operator',
      quote: 'Good morning — I mean, I’m sorry',
      match: 'exact',
      context: TURNS[4]!.text,
    });
  });

  it('corrects a wrong turn to the nearest turn with the quote, and prefers the given turn', async () => {
    expect(await foundBy(4, 'good morning')).to.include({ turn: 4, match: 'exact' });
    expect(await foundBy(1, 'good morning')).to.include({ turn: 0, match: 'moved' });
    expect(await foundBy(3, 'good morning')).to.include({ turn: 4, match: 'moved' });
    for (const turn of [-1, 99, 1e300, Number.NaN, 2.5]) {
      expect(await foundBy(turn, 'oldin toʻladim'), String(turn)).to.include({ turn: 3 });
    }
  });

  it('finds words across two turns of one speaker', async () => {
    expect(await foundBy(5, 'не приехал. It is')).to.deep.equal({
      turn: 6,
      turn_end: 7,
      role: 'client',
      match: 'moved',
      quote: 'не приехал.\nIt is',
      context: `${TURNS[6]!.text}\n${TURNS[7]!.text}`,
    });
  });

  it('checks only values of fields that require evidence', async () => {
    const fields = [field('a', 'boolean'), field('b', 'boolean'), field('c', 'boolean', { evidence: false })];
    const claims = [
      claim(0, 'good morning'),
      { ...claim(0, 'good morning'), field: 'c' },
      { ...claim(0, 'x'), field: 'd' },
    ];
    const evidence = await checkEvidence(TURNS, fields, { a: null, b: true, c: true }, claims);
    expect(evidence).to.deep.equal({ b: { verified: false, value_in_quote: null, dropped: 0, quotes: [] } });
  });

  it('returns each location once, even if several quotes match it', async () => {
    const claims = ['good morning', 'Good Morning', 'somewhere else'].map((quote) => claim(0, quote));
    const { a } = await checkEvidence(TURNS, [field('a', 'boolean')], { a: true }, claims);
    expect(a).to.deep.include({ verified: true, dropped: 1 });
    expect(a?.quotes).to.have.length(1);
  });

  it('returns the times of the turn; in a long turn, they are estimated by letters', async () => {
    const timed = (text: string, start_s: number, end_s: number): Turn => ({ role: 'client', text, start_s, end_s });
    const turns = [timed('short and sweet', 1, 3), timed(`first ${'word '.repeat(18)}last`, 10, 110)];
    expect(await foundBy(0, 'and sweet', turns))
      .to.include({ start_s: 1, end_s: 3 })
      .and.not.to.have.property('approximate');
    expect(await foundBy(1, 'word last', turns)).to.include({ start_s: 101, end_s: 110, approximate: true });
    expect(await foundBy(1, 'sweet first', turns)).to.include({ start_s: 1, end_s: 15, approximate: true });
    expect(await foundBy(0, 'good morning')).not.to.have.any.keys('start_s', 'end_s');
  });

  it('takes a second for 5,000 turns, and does not block other work', async function () {
    const words = ['order', 'parcel', 'курьер', 'заказ', 'toʻlov', 'buyurtma', 'card', 'late', 'деньги', 'kecha'];
    const chance = randomNumbers(7);
    const random = (below: number) => Math.floor(chance() * below);
    const speak = (count: number) => Array.from({ length: count }, () => words[random(words.length)]).join(' ');
    const turns = Array.from({ length: 5_000 }, () => ({ role: 'client', text: speak(14) }));
    const claims = Array.from({ length: 150 }, () => ({
      field: `f${random(50)}`,
      turn: random(5_000),
      quote: speak(9),
    }));
    const fields = Array.from({ length: 50 }, (_, index) => field(`f${index}`, 'boolean'));
    let ticks = 0;
    const clock = setInterval(() => ticks++, 1);
    const started = process.cpuUsage();
    await checkEvidence(turns, fields, Object.fromEntries(fields.map(({ name }) => [name, true])), claims);
    clearInterval(clock);
    expect(process.cpuUsage(started).user / 1_000).to.be.below(3_000); // three times the usual time, for busy machines
    expect(ticks).to.be.above(3);
  });

  for (const [what, text] of HOSTILE_TURNS) {
    it(`ends within its time limit and never blocks for 100 ms in a turn of 100,000 characters of ${what}`, async function () {
      this.timeout(0);
      const limitMs = 300;
      const begin = text.slice(0, 300);
      const quotes = [text, begin, slip(begin), ` ${slip(begin)}`, `${text.slice(0, 5_000)} b ${text.slice(0, 4_000)}`];
      const fields = Array.from({ length: 50 }, (_, index) => field(`f${index}`, 'string'));
      const claims = fields.flatMap(({ name }) => quotes.map((quote, turn) => ({ field: name, turn, quote })));
      const turns = Array.from({ length: 23 }, () => ({ role: 'client', text }));
      const values = Object.fromEntries(fields.map(({ name }) => [name, 'a b c']));
      await expectNoBlock(100, async () => {
        const started = process.cpuUsage();
        await checkEvidence(turns, fields, values, claims, createSlices(limitMs));
        expect(process.cpuUsage(started).user / 1_000).to.be.below(5 * limitMs);
      });
    });
  }

  it('counts quotes as unchecked after its time limit, and not as not found', async () => {
    const evidence = await checkEvidence(
      TURNS,
      [field('a', 'boolean')],
      { a: true },
      [claim(0, 'good morning')],
      createSlices(0),
    );
    expect(evidence['a']).to.deep.equal({
      verified: false,
      value_in_quote: null,
      dropped: 0,
      quotes: [],
      unchecked: 1,
    });
  });

  it('does not change text that is already normalized', () => {
    for (const { text } of TURNS) expect(normalForm(normalForm(text))).to.equal(normalForm(text));
  });
});

describe('value_in_quote', () => {
  for (const [type, value, quote, expected] of [
    ['number', 184_500, 'you took 184 500 soum', true],
    ['number', 1_250.75, '1.250,75 euro', true],
    ['integer', -5, 'minus 5 degrees', true],
    ['number', 7.5, 'seven and a half', null],
    ['number', 184_500, 'you took 184 600 soum', false],
    ['number', 0.5, 'five of 5', false],
    ['string', 'A-104822', 'order a 104822.', true],
    ['string', 'A-104822', 'order A-104', false],
    ['string_list', ['Lamps', 'chair'], 'two lamps and a chair', true],
    ['string_list', ['lamps', 'table'], 'two lamps and a chair', false],
    ['string', 'C++', 'I know C.', false],
    ['string', 'C++', 'I know C++, too.', true],
    ['string', '-5', '5 degrees', false],
    ['boolean', true, 'yes', null],
    ['enum', 'billing', 'the bill', null],
  ] as const) {
    it(`is ${expected} for ${JSON.stringify(value)} in “${quote}”`, async () => {
      const found = createSlices(Infinity)(isValueInQuote({ type }, value as string, [quote]));
      expect(await found).to.equal(expected);
    });
  }
});

/** Returns a text with one letter in its middle replaced. */
function slip(text: string): string {
  const middle = text.length >> 1;
  return `${text.slice(0, middle)}q${text.slice(middle + 1)}`;
}
