/** The options of the command, from its arguments and the environment. */
import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run submit -- --assistant ID [options] FILE…

Submits recordings or dialogues and writes one result per file, as they complete.
A dialogue is a text file with one turn per line ("operator: Good morning."), or JSON as for POST /v1/requests/text.
Run the command again with the same files to continue: files that were submitted before are not paid for again.

  --assistant ID     Assistant that analyzes the files.
  --url URL          Address of the service. Default: API_URL, or http://127.0.0.1:3000.
  --token TOKEN      API token. Default: API_TOKEN, which other users of the machine can't see.
  --output FILE      File for the results. Default: standard output.
  --format FORMAT    jsonl (default) or csv.
  --parallel N       Number of files to process at once. Default: 8.
  --help             Show this text.

Exit codes: 0 all files have a result, 1 some files have no result, 2 wrong arguments, token or assistant, 130 interrupted.`;

export interface Options {
  assistantId: string;
  url: string;
  token: string;
  files: string[];
  /** undefined: standard output. */
  output: string | undefined;
  format: 'jsonl' | 'csv';
  parallel: number;
}

export class UsageError extends Error {
  override name = 'UsageError';
}

const MAX_PARALLEL = 100;

/** Returns the options, or undefined for `--help`. Throws `UsageError`. */
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
  if (!URL.canParse(url)) throw new UsageError(`${url} is not a URL`);
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
