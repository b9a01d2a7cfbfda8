/** What of the page is in its address: the assistant that was chosen and the session that came of it. */
import { clean, textOf } from '../../search/parse.ts';

export const parseStartSearch = (raw: Record<string, unknown>) =>
  clean({ assistant: textOf(raw, 'assistant'), session: textOf(raw, 'session') });
