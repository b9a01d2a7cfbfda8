/** The settings of redaction: docs/redaction.md. */
import { z } from 'zod';
import { PHONE_REGIONS } from '../../contract/values/redaction-kinds.ts';
import { baseUrl, list } from './setting-rules.ts';

export const redaction = {
  REDACTION_URL: baseUrl().describe(
    'URL of the recognizer, a server with the API of Presidio Analyzer that finds names and addresses. Unset: assistants cannot redact them.',
  ),
  REDACTION_LANGUAGES: list('en')
    .pipe(z.array(z.string().regex(/^[a-z]{2}$/, 'must be two-letter language codes')).min(1))
    .describe(
      'Languages that the recognizer supports, comma-separated. If that of a conversation is unknown or not listed, the first one is used.',
    ),
  REDACTION_REGIONS: list(PHONE_REGIONS.join())
    .pipe(z.array(z.enum(PHONE_REGIONS)))
    .describe('Countries whose phone numbers are redacted even without a plus, comma-separated; `US`: North America.'),
};
