import { texts } from '../texts/index.ts';

export const words = texts.uploads;
