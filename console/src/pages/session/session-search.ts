/** Search parameters of the session page. */
import { clean, numberOf, oneOf, textOf } from '../../search/parse.ts';

export const SESSION_TABS = ['result', 'settings', 'deliveries'] as const;
export type SessionTab = (typeof SESSION_TABS)[number];

export const parseSessionSearch = (raw: Record<string, unknown>) =>
  clean({
    tab: oneOf(raw, 'tab', SESSION_TABS),
    delivery: textOf(raw, 'delivery'),
    attempt: numberOf(raw, 'attempt'),
    // The position in the recording, in seconds.
    t: numberOf(raw, 't'),
    // The words of the search that led here.
    q: textOf(raw, 'q'),
  });
