/** The URL and the secret of a receiver, as requests contain them. */
import { z } from 'zod';
import { httpUrl } from './http-url.ts';

const URL_CHARACTERS = 2_048;

/** Credentials in a URL would be logged. The addresses behind the host name are checked when a webhook is sent. */
export const webhookUrl = () =>
  httpUrl(URL_CHARACTERS).meta({ format: 'uri', examples: ['https://example.com/hooks/conversations'] });

/** Other characters can't be sent in a header. */
export const webhookSecret = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 printable ASCII characters without spaces')
    .describe(
      'Signs each delivery and is sent to the webhook as a Bearer token. Never returned. Use random characters, such as the output of `openssl rand -hex 32`.',
    )
    .meta({ examples: ['whsec-example-4fZ'] });
