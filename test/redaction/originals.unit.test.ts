import { originalsOf, reveal, revealSaid } from '../../redaction/originals.ts';
import { redact } from '../../redaction/redact.ts';

const textsOf = (turns: readonly { text: string }[]) => turns.map(({ text }) => text);

/** Turns of a client. */
function redactTexts(texts: readonly string[]) {
  const { turns, items } = redact(texts.map((text) => ({ role: 'client', text })));
  return { texts: textsOf(turns), originals: originalsOf(items) };
}

/** What is said, and the values that may be kept. */
const KEPT: Record<string, [said: string[], kept: string[]]> = {
  'values with the shape of their kind': [
    ['Call +998901234567 or 90 765 43 21, a@b.uz, passport AB1234567, IBAN GB29NWBK60161331926819'],
    ['+998901234567', '90 765 43 21', 'a@b.uz', 'AB1234567', 'GB29NWBK60161331926819'],
  ],
  'a phone number after a whole card': [['card 4111 1111 1111 1111, phone 90 765 43 21'], ['90 765 43 21']],
  'no card and no code': [['4111 1111 1111 1111, CVV 123'], []],
  'no part of a card that passes for a phone number': [
    ['My card starts with, phone me if it breaks, 427 638 0144'],
    [],
  ],
  'no dictated number without the shape of a phone number': [['one two four five, six seven eight, nine zero one'], []],
};

describe('The originals of a redacted conversation', () => {
  for (const [what, [said, kept]] of Object.entries(KEPT)) {
    it(`contain ${what}`, () => {
      const { originals } = redactTexts(said);
      expect(Object.values(originals).map(({ text }) => text)).to.have.members(kept);
    });
  }

  it('are put back as they were said, and elsewhere as the value that was said first', () => {
    const said = ['My phone is 90 765', 'uh 43 21.', 'Again: 907654321.'];
    const { texts, originals } = redactTexts(said);
    expect(texts).to.deep.equal(['My phone is [PHONE_1]', 'uh [PHONE_1].', 'Again: [PHONE_1].']);
    expect(revealSaid(texts, originals)).to.deep.equal(said);
    const result = { summary: 'Call [PHONE_1], not [PHONE_2].', list: ['[PHONE_1]', 1, null] };
    const shown = { summary: 'Call 90 765 43 21, not [PHONE_2].', list: ['90 765 43 21', 1, null] };
    expect(reveal(result, originals)).to.deep.equal(shown);
  });

  it('of a separate text do not change the meaning of the conversation', () => {
    const turns = [
      { role: 'client', text: 'My order number is' },
      { role: '', text: '907654321' },
    ];
    expect(textsOf(redact(turns).turns)).to.deep.equal(['My order number is', '907654321']);
    const { turns: separate } = redact([...turns, { role: '', text: '+998907654321' }], undefined, { separate: 2 });
    expect(textsOf(separate)[2]).to.equal('[PHONE_1]');
  });
});
