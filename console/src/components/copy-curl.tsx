import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import { readForm } from './read-form.ts';

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base path. */
  path: string;
  body?: unknown;
}

/** Returns the public call as a command: `$API` and `$TOKEN` are the reader's own, and never this login. */
export function printCurl({ method = 'GET', path, body }: Call): string {
  const parts = [`curl -s "$API${path}"`, `-H "Authorization: Bearer $TOKEN"`];
  if (method !== 'GET') parts.splice(1, 0, `-X ${method}`);
  if (body !== undefined) {
    parts.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`);
  }
  return parts.join(' ');
}

export const CopyCurl = (call: Call) => (
  <CopyButton text={printCurl(call)} label={texts.common.copyCurl} word={texts.common.curl} shortcut="c" />
);

/** Stands in a form, and copies what sending it as it is now would ask. */
export const CopyFormCurl = ({ toCall }: { toCall: (values: Record<string, string>) => Call }) => (
  <CopyButton
    text={({ form }) => (form ? printCurl(toCall(readForm(form))) : '')}
    label={texts.common.copyFormCurl}
    word={texts.common.curl}
  />
);
