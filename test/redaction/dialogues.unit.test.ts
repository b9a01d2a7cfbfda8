import { LANGUAGES, measure } from './dialogues.ts';

/** Shares of spoken values, and false placeholders per dialogue: docs/redaction.md. */
const MIN_RECALL = 0.95;
const MAX_FALSE = 1 / 20;

describe('Redaction of call-center dialogues', () => {
  for (const part of ['tuned', 'unseen'] as const) {
    it(`hides at least 95% of the spoken values, every written one, and little else: ${part}`, () => {
      const measured = LANGUAGES.map((language) => measure(part, language));
      const values = measured.flatMap((each) => each.values);
      const spoken = values.filter(({ isSpoken }) => isSpoken);
      const shown = values.filter(({ isHidden }) => !isHidden);
      expect(spoken.length).to.be.above(25);
      expect(
        shown.filter(({ isSpoken }) => isSpoken).length / spoken.length,
        shown.map(({ note }) => note).join('\n'),
      ).to.be.at.most(1 - MIN_RECALL);
      expect(shown.filter(({ isSpoken }) => !isSpoken)).to.deep.equal([]);
      const falseOnes = measured.flatMap((each) => each.falseOnes);
      const dialogues = measured.reduce((sum, each) => sum + each.dialogues, 0);
      expect(falseOnes.length, falseOnes.join('\n')).to.be.at.most(dialogues * MAX_FALSE);
    });
  }
});

/** Fractions of the pieces of values, whole values, and false placeholders per dialogue: docs/redaction.md. */
const GOALS = {
  hard: { pieces: 0.96, values: 0.94, falseOnes: 1 / 20 },
  'held-out': { pieces: 0.85, values: 0.8, falseOnes: 1 / 15 },
  dictated: { pieces: 0.96, values: 0.95, falseOnes: 0 },
  'dictated-held-out': { pieces: 0.9, values: 0.9, falseOnes: 1 / 20 },
};

describe('Redaction of deliberately hard dialogues', () => {
  for (const part of ['hard', 'held-out', 'dictated', 'dictated-held-out'] as const) {
    const { pieces, values, falseOnes } = GOALS[part];
    const shares = `${pieces * 100}% of the pieces and ${values * 100}% of whole values`;
    it(`hides at least ${shares}: ${part}`, () => {
      const measured = LANGUAGES.map((language) => measure(part, language));
      const all = measured.flatMap((each) => each.values);
      const sum = (count: (value: (typeof all)[number]) => number) =>
        all.reduce((total, each) => total + count(each), 0);
      expect(sum((each) => each.hiddenPieces) / sum((each) => each.pieces)).to.be.at.least(pieces);
      expect(all.filter(({ isHidden }) => isHidden).length / all.length).to.be.at.least(values);
      const dialogues = measured.reduce((total, each) => total + each.dialogues, 0);
      expect(measured.flatMap((each) => each.falseOnes).length).to.be.at.most(dialogues * falseOnes);
    });
  }
});
