import { publicApiUrl } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import { readForm } from './form-values.ts';

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the API base URL, encoded. */
  path: string;
  body?: unknown;
}

/** Returns the text in single quotes. The shell expands nothing in it. */
export const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the call as commands for a new shell, with a placeholder for the API token. The user's login is never copied. */
export function printCurl({ method = 'GET', path, body }: Call): string {
  const parts = [`curl -sS "$API"${quoteForShell(path)}`];
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push('-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined) {
    parts.push(`-H 'Content-Type: application/json'`, `-d ${quoteForShell(JSON.stringify(body))}`);
  }
  return [`API=${quoteForShell(publicApiUrl())}`, `TOKEN='<API token>'`, parts.join(' ')].join('\n');
}

export const CopyCurl = (call: Call) => (
  <CopyButton text={printCurl(call)} label={texts.common.copyCurl} word={texts.common.curl} shortcut="c" />
);

/** Copies the API call for the current values of the surrounding form. */
export const CopyFormCurl = ({ toCall }: { toCall: (values: Record<string, string>) => Call }) => (
  <CopyButton
    text={({ form }) => (form ? printCurl(toCall(readForm(form))) : '')}
    label={texts.common.copyFormCurl}
    word={texts.common.curl}
  />
);
