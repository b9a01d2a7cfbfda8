/** The texts of the console. Each language is one file of the same shape. */
import { en } from './en.ts';

export const LOCALE = 'en-GB';
export const texts = en;
