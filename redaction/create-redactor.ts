import type { PhoneRegion } from '../contract/constants.ts';
import { createProviderFetch } from '../runtime/outbound/provider-fetch.ts';
import { createRecognizer } from './recognizer.ts';
import type { Redactor } from './redactor.ts';
import { createRuleThread } from './run-in-thread.ts';

export interface RedactionConfig {
  /** Address of the recognizer; undefined: none. */
  url: string | undefined;
  languages: readonly string[];
  regions: readonly PhoneRegion[];
}

const MAX_RESPONSE_BYTES = 4 * 1024 ** 2;

/** Creates the redactor of a process. Stop it with `rules.stop`. */
export function createRedactor({ url, languages, regions }: RedactionConfig): Redactor {
  const fetch = createProviderFetch(MAX_RESPONSE_BYTES);
  return {
    rules: createRuleThread(),
    recognizer: url === undefined ? null : createRecognizer({ url, languages, fetch }),
    regions,
  };
}
