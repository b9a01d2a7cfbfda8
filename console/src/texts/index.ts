/** The texts of the language that is shown. A second language is a second file of the same shape. */
import { en } from './en.ts';

export const LOCALE = 'en-GB';
export const texts = en;
export type Texts = typeof en;
