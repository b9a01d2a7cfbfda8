/** The settings of redaction: docs/redaction.md. */
import { z } from 'zod';
import { PHONE_REGIONS } from '../contract/redaction-kinds.ts';
import { baseUrl, list } from './setting-rules.ts';

export const redaction = {
  REDACTION_URL: baseUrl().describe(
    'Server that finds names and addresses for redaction, in the protocol of Presidio Analyzer (`POST /analyze`). Unset: assistants cannot redact them.',
  ),
  REDACTION_LANGUAGES: list('en')
    .pipe(z.array(z.string().regex(/^[a-z]{2}$/, 'must be two-letter language codes')).min(1))
    .describe(
      'Languages that the server at `REDACTION_URL` knows, comma-separated. It reads conversations in others, or in an unknown one, in the first.',
    ),
  REDACTION_REGIONS: list(PHONE_REGIONS.join())
    .pipe(z.array(z.enum(PHONE_REGIONS)))
    .describe('Countries whose phone numbers redaction finds without a plus, comma-separated; `US`: North America.'),
};
