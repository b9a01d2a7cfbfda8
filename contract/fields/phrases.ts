/** The phrases of required wording. */
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { text } from '../values/schemas.ts';
import { piecesOf, weightOf } from './pieces.ts';

/** One word would be found everywhere. */
const isEnoughToFind = (phrase: string) =>
  /\p{N}/u.test(phrase) ||
  [...piecesOf(phrase)].flatMap(({ words }) => words).reduce((sum, word) => sum + weightOf(word), 0) >= 4;

export const phrases = () =>
  z
    .array(text({ min: 1, max: 200 }).refine(isEnoughToFind, rule('too_few:have', { min: 'two', unit: 'words' })))
    .min(1)
    .max(20)
    .describe('`said` only, required: the value is true if one of them was said, word for word.');
