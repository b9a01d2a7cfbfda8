import { redact } from '../../redaction/redact.ts';
import { ENGLISH } from '../../redaction/words/english.ts';
import { RUSSIAN } from '../../redaction/words/russian.ts';
import { UZBEK } from '../../redaction/words/uzbek.ts';
import { expectNoBlock } from '../support/longest-block.ts';

const CHARACTERS = 8_000;
/** Quadratic work that takes 6 s for 100 kB exceeds it. Most texts take 3 ms, and the first ones also the compilation of the code. */
const MAX_MS = 80;

const listsOf = (words: unknown): string[] =>
  typeof words === 'string' ? [words] : typeof words === 'object' && words ? Object.values(words).flatMap(listsOf) : [];

const WORDS = [ENGLISH, RUSSIAN, UZBEK].flatMap(listsOf).flatMap((list) => list.replaceAll('*', '').split(' '));
const SIGNS = [
  '+',
  '(',
  '@',
  '.',
  ',',
  '#',
  '-',
  '\n',
  "'",
  '[CARD_1]',
  '\u0301',
  'A',
  'ab',
  '1',
  '4111',
  'a1',
  'A1B2C3',
];

describe('Redaction of one word, repeated', () => {
  for (const end of [' ', ' A1B2C3, ', '']) {
    it(`takes linear time: each word before "${end}"`, async () => {
      for (const word of new Set([...WORDS, ...SIGNS])) {
        const text = `${word}${end}`.repeat(CHARACTERS / (word.length + end.length));
        const turns = [
          { role: 'operator', text: 'What is your password?' },
          { role: 'client', text },
        ];
        await expectNoBlock(MAX_MS, async () => void redact(turns), `${word}${end}`);
      }
    }).timeout(120_000);
  }
});
