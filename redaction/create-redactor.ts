import type { Config } from '../runtime/settings/config.ts';
import { createProviderFetch } from '../runtime/outbound/provider-fetch.ts';
import { createRecognizer } from './recognizer.ts';
import type { Redactor } from './redactor.ts';
import { createRuleProcess } from './rule-process.ts';

const MAX_RESPONSE_BYTES = 4 * 1024 ** 2;

/** Creates the redactor of a process. Stop it with `rules.stop`. */
export function createRedactor({ url, languages, regions }: Config['redaction']): Redactor {
  const fetch = createProviderFetch(MAX_RESPONSE_BYTES, null);
  return {
    rules: createRuleProcess(),
    recognizer: url === undefined ? null : createRecognizer({ url, languages, fetch }),
    regions,
  };
}
