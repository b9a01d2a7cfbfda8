/** Reads the options of the command from its arguments and the environment. */
import { readArgs, readService, UsageError } from '../command.ts';

export const USAGE = `Usage: npx conversation-analysis-client submit --assistant ID [options] FILE…
       npx conversation-analysis-client submit --assistant ID --watch DIR [options]
In the service's repository: npm run submit -- …

Submits recordings or dialogues and writes one result per file, as they complete.
A dialogue is a text file with one turn per line ("operator: Good morning."), JSON as for POST /v1/requests/text, JSON Lines,
WebVTT, SubRip, a chat of WhatsApp or Telegram, or a list of messages in JSON. Any other text is one speaker's.
Run the command again with the same files to continue. Files that were submitted before are not charged again.
The command stops when the monthly budget is used up. It leaves a fifth of the requests per minute to other programs.
The token needs assistants:read, requests:write, sessions:read and, to retry, sessions:write.
Instead of a recording, a FILE may be its URL: the service downloads it.
A file call.mp3.json beside call.mp3 contains its metadata as a JSON object.

  --assistant ID     Assistant that analyzes the files.
  --url URL          URL of the service. Default: API_URL, or http://127.0.0.1:3000.
  --token TOKEN      API token. Default: API_TOKEN. Prefer the variable: other users of the machine can see arguments.
  --output FILE      File for the results, replaced at the end. Default: standard output.
  --format FORMAT    Format of the results: jsonl (default) or csv.
  --parallel N       Number of files to process at once. Default: 8.
  --roles LIST       Roles of the speakers of dialogues, such as "Ann=operator,*=client".
  --pattern REGEX    Regular expression for paths. Its named groups become metadata, such as "(?<call_id>\\d+)\\.mp3$". The group
                     occurred_at is the time of the call, as 2026-11-28T16:05:12Z or, of this time zone, 20261128-160512.
  --max-cost-usd N   Stop when the sessions of this run cost N US dollars. What is being processed then ends.
  --dry-run          Print what would be submitted, and what was submitted before.
  --help             Show this text.

With --watch, the command submits files that appear in a folder and its subfolders, until you stop it. Files that don't
match --pattern are skipped and named. Options:
  --settle S         Submit a file after S seconds without a change of its size or time. Default: 30.
  --min-bytes N      Skip smaller recordings, because telephone systems write empty recordings. Default: 1024.
  --after ACTION     What to do with a file that has a result: keep (default), delete, or move to the folder "done" in DIR.
With --output, the next start skips files that the output already contains.

Exit codes: 0 all files have a result, 1 some files have no result or a limit was reached, 2 wrong arguments, token or assistant, 130 interrupted.`;

export interface Options {
  assistantId: string;
  /** URL of the service. */
  url: string;
  /** URL of its API. */
  api: string;
  token: string;
  files: string[];
  /** Undefined for standard output. */
  output: string | undefined;
  format: 'jsonl' | 'csv';
  parallel: number;
  roles: Record<string, string>;
  pattern: RegExp | undefined;
  /** In US dollars. */
  maxCost: number;
  isDryRun: boolean;
  /** Undefined to submit only the named files. */
  watch: WatchOptions | undefined;
}

export interface WatchOptions {
  directory: string;
  settleMs: number;
  minBytes: number;
  after: (typeof AFTER)[number];
}

const AFTER = ['keep', 'delete', 'move'] as const;

const MAX_PARALLEL = 100;

/** Returns the options. Throws `UsageError`. */
export function readOptions(args: string[], env: Partial<Record<string, string>>): Options {
  const { values, positionals: files } = parse(args);
  const { assistant, format, output } = values;
  const parallel = readNumber('parallel', values.parallel, 1, MAX_PARALLEL);
  const watch = values.watch === undefined ? undefined : readWatch(values.watch, values);
  if (assistant === undefined) throw new UsageError('--assistant is required');
  if (!watch && files.length === 0) throw new UsageError('name at least one file');
  if (watch && files.length > 0) throw new UsageError('name either files or --watch');
  const service = readService(values, env);
  if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format must be jsonl or csv');
  if (watch && format === 'csv') throw new UsageError('--watch writes jsonl only');
  const isDryRun = values['dry-run'];
  if (watch && isDryRun) throw new UsageError('--dry-run needs files');
  const maxCost = Number(values['max-cost-usd'] ?? Infinity);
  if (!(maxCost > 0)) throw new UsageError('--max-cost-usd must be a number above 0, such as 25');
  const [roles, pattern] = [readRoles(values.roles), readPattern(values.pattern)];
  const limits = { parallel, maxCost, isDryRun };
  return { assistantId: assistant, ...service, files, output, format, roles, pattern, watch, ...limits };
}

function readWatch(directory: string, values: { settle: string; 'min-bytes': string; after: string }): WatchOptions {
  const after = AFTER.find((each) => each === values.after);
  if (!after) throw new UsageError(`--after must be ${AFTER.join(', ')}`);
  const settleMs = readNumber('settle', values.settle, 0, 86_400) * 1_000;
  return { directory, settleMs, minBytes: readNumber('min-bytes', values['min-bytes'], 0, 1e9), after };
}

function readNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (value !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}`);
}

function readRoles(list: string): Record<string, string> {
  const pairs = list.split(',').filter((pair) => pair !== '');
  const roles = pairs.map((pair) => pair.split('=').map((part) => part.trim()));
  if (roles.some((pair) => pair.length !== 2 || pair.includes(''))) throw new UsageError('--roles must be NAME=ROLE,…');
  return Object.fromEntries(roles) as Record<string, string>;
}

function readPattern(source: string | undefined): RegExp | undefined {
  try {
    return source === undefined ? undefined : new RegExp(source, 'u');
  } catch (error) {
    throw new UsageError(`--pattern: ${(error as Error).message}`);
  }
}

const parse = (args: string[]) =>
  readArgs({
    args,
    allowPositionals: true,
    options: {
      assistant: { type: 'string' },
      url: { type: 'string' },
      token: { type: 'string' },
      output: { type: 'string' },
      format: { type: 'string', default: 'jsonl' },
      parallel: { type: 'string', default: '8' },
      roles: { type: 'string', default: '' },
      pattern: { type: 'string' },
      'max-cost-usd': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      watch: { type: 'string' },
      settle: { type: 'string', default: '30' },
      'min-bytes': { type: 'string', default: '1024' },
      after: { type: 'string', default: 'keep' },
    },
  });
