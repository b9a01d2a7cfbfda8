/** What the command is told: arguments, and the environment for what they leave out. */
import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run submit -- --assistant ID [options] FILE…

Submits recordings or dialogues and writes their results, one for each file, as they come.
A dialogue is a text file with one turn a line ("operator: Good morning."), or JSON as POST /v1/requests/text takes it.
Started again with the same files, it goes on: what was submitted before is not paid for again.

  --assistant ID     The assistant that analyzes the files.
  --url URL          Address of the service. Default: API_URL, or http://127.0.0.1:3000.
  --token TOKEN      API token. Default: API_TOKEN, which other users of the machine do not see.
  --output FILE      Where the results go. Default: the standard output.
  --format FORMAT    jsonl (default) or csv.
  --parallel N       Files that are under way at once. Default: 8.
  --help             This text.

Exit codes: 0 all files have a result, 1 some have none, 2 nothing was done: the arguments, the token or the assistant
are wrong, 130 interrupted.`;

export interface Options {
  assistantId: string;
  url: string;
  token: string;
  files: string[];
  /** undefined: the standard output. */
  output: string | undefined;
  format: 'jsonl' | 'csv';
  parallel: number;
}

/** Says that nothing can be done as it was asked for. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const MAX_PARALLEL = 100;

/** Returns what was asked for; undefined for help. Throws `UsageError`. */
export function readOptions(args: string[], env: Partial<Record<string, string>>): Options | undefined {
  const { values, positionals: files } = parse(args);
  if (values.help) return undefined;
  const { assistant, format, output } = values;
  const url = values.url ?? env['API_URL'] ?? 'http://127.0.0.1:3000';
  const token = values.token ?? env['API_TOKEN'] ?? '';
  const parallel = Number(values.parallel);
  if (assistant === undefined) throw new UsageError('--assistant is required');
  if (files.length === 0) throw new UsageError('name at least one file');
  if (token === '') throw new UsageError('API_TOKEN is not set');
  if (!URL.canParse(url)) throw new UsageError(`${url} is no URL`);
  if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format must be jsonl or csv');
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > MAX_PARALLEL) {
    throw new UsageError(`--parallel must be a number from 1 to ${MAX_PARALLEL}`);
  }
  return { assistantId: assistant, url, token, files, output, format, parallel };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        assistant: { type: 'string' },
        url: { type: 'string' },
        token: { type: 'string' },
        output: { type: 'string' },
        format: { type: 'string', default: 'jsonl' },
        parallel: { type: 'string', default: '8' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
