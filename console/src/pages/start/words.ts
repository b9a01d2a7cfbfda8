import { start } from '../../texts/en-start.ts';
import { texts } from '../../texts/index.ts';

export const words = { ...start, ...texts.start };
