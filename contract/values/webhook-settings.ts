/** The URL and the secret of a receiver, as requests contain them. */
import { LIMITS } from './limits.ts';
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { WEBHOOK_AUTHS } from './constants.ts';
import { httpUrl } from './http-url.ts';

/** Credentials in a URL would be logged. The addresses behind the host name are checked when a webhook is sent. */
export const webhookUrl = () =>
  httpUrl(LIMITS.url).meta({ format: 'uri', examples: ['https://example.com/hooks/conversations'] });

/** Other characters can't be sent in a header. */
export const webhookSecret = () =>
  z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{1,${LIMITS.secret}}$`), rule('printable:dense', { max: LIMITS.secret }))
    .describe(
      'Signs each delivery and is sent to the webhook as a Bearer token. Never returned. Use at least 32 random characters, such as the output of `openssl rand -hex 32`.',
    )
    .meta({ examples: ['whsec-example-4fZ'] });

export const webhookAuth = () =>
  z
    .enum(WEBHOOK_AUTHS)
    .describe(
      'How the secret is used: as a Bearer token, as the key of a signature, or both (default). Receivers that refuse an `Authorization` header, such as Power Automate, need `signature`.',
    );
