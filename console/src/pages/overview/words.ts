import { overview } from '../../texts/en-overview.ts';
import { texts } from '../../texts/index.ts';

export const words = { ...overview, ...texts.overview };
