/**
 * Keeps an assistant's secret out of the record of an attempt: receivers, above all their debugging pages, echo what
 * they got.
 */
import type { WebhookExchange } from '../../runtime/outbound/webhook-http.ts';

const MASK = '***';

/** Length of the shortest beginning of a secret that is masked where a response was cut in the middle of it. */
const SHORTEST_CUT_CHARACTERS = 4;

/** Returns the exchange with the secret masked wherever the receiver's answer repeats it, plain or escaped. */
export function maskSecret(exchange: WebhookExchange, secret: string | null): WebhookExchange {
  if (secret === null) return exchange;
  const forms = formsOf(secret);
  const mask = (text: string) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
  const { response_headers, response_body, response_truncated } = exchange;
  return {
    ...exchange,
    response_headers:
      response_headers &&
      Object.fromEntries(Object.entries(response_headers).map(([name, value]) => [mask(name), mask(value)])),
    response_body: response_body && maskEnd(mask(response_body), response_truncated ? forms : []),
  };
}

/**
 * Returns the secret as it is, and as JSON, HTML and URLs write it. Longer forms come first, since they may hold
 * shorter ones.
 */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const forms = [
    secret,
    // Header names are in lower case, and a secret may have become one.
    secret.toLowerCase(),
    json,
    json.replaceAll('/', String.raw`\/`),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    Buffer.from(secret).toString('base64'),
  ];
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

/** Masks the beginning of a form if the text ends with it. */
function maskEnd(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    for (let length = form.length - 1; length >= SHORTEST_CUT_CHARACTERS; length--) {
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + MASK;
    }
  }
  return text;
}
