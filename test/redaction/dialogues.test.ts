import { expect } from 'chai';
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
