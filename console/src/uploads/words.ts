import { uploads } from '../texts/en-uploads.ts';
import { texts } from '../texts/index.ts';

export const words = { ...uploads, ...texts.uploads };
