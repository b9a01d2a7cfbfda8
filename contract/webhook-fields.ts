/** The URL and the secret of a receiver, as requests contain them. */
import { z } from 'zod';

const URL_CHARACTERS = 2_048;

/** Credentials in a URL would be logged. The addresses behind the host name are checked when a webhook is sent. */
export const webhookUrl = () =>
  z
    .string()
    .max(URL_CHARACTERS, { abort: true })
    .refine(isHttpUrl, { error: 'must be an http or https URL without credentials', abort: true })
    .refine((value) => !BLOCKED_PORTS.has(new URL(value).port), 'must not name a port that browsers refuse')
    .refine(
      (value) => new URL(value).href.length <= URL_CHARACTERS,
      `must have at most ${URL_CHARACTERS} characters when percent-encoded`,
    )
    .meta({ format: 'uri', examples: ['https://example.com/hooks/conversations'] });

function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && !url.username && !url.password;
}

/** Ports of other protocols, some of which execute parts of a request: https://fetch.spec.whatwg.org/#port-blocking */
const BLOCKED_PORTS = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 ' +
    '135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 ' +
    '995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/** Other characters can't be sent in a header. */
export const webhookSecret = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 printable ASCII characters without blanks')
    .describe(
      'Signs each delivery and is sent to the webhook as a Bearer token. Never returned. Use random characters, such as the output of `openssl rand -hex 32`.',
    )
    .meta({ examples: ['whsec-example-4fZ'] });
