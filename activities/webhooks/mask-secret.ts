/** Removes an assistant's secret from the stored response: receivers, especially their error pages, echo requests. */
import type { WebhookExchange } from '../../runtime/outbound/webhook-http.ts';

const MASK = '***';

/** Shortest beginning of a secret that is masked at the end of a truncated response. */
const SHORTEST_CUT_CHARACTERS = 4;

/** A shorter secret can be a part of any word. It is masked only where the header is echoed. */
const SHORTEST_FOUND_ANYWHERE = 8;

/** Returns the exchange with the secret masked in the response, plain or escaped. */
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

/** Returns the secret plain and as escaped in JSON, HTML and URLs, longest first, since longer forms may contain shorter ones. */
function formsOf(given: string): string[] {
  const secret = given.length < SHORTEST_FOUND_ANYWHERE ? `Bearer ${given}` : given;
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const forms = [
    secret,
    // Header names are in lower case, and a receiver may use the secret as one.
    secret.toLowerCase(),
    json,
    json.replaceAll('/', String.raw`\/`),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

/** Masks the beginning of a form at the end of the text. */
function maskEnd(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    for (let length = form.length - 1; length >= SHORTEST_CUT_CHARACTERS; length--) {
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + MASK;
    }
  }
  return text;
}
