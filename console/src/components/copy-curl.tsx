import { publicApiUrl } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';

/** Returns the text in single quotes. The shell expands nothing in it. */
export const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Copies a GET request as commands for a new shell, with a placeholder for the API token. The user's login is never copied.
 * @param path relative to the API base URL, encoded.
 */
export const CopyCurl = ({ path }: { path: string }) => (
  <CopyButton
    text={`API=${quoteForShell(publicApiUrl())}
TOKEN='<API token>'
curl -sS "$API"${quoteForShell(path)} -H "Authorization: Bearer $TOKEN"`}
    label={texts.labels.copyCurl}
    word="cURL"
  />
);
