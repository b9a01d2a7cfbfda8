/** `npm run results -- --assistant ID [--by KEY]`: prints what the sessions of an assistant say, by group, as CSV. See `--help`. */
import { parseArgs } from 'node:util';
import { ApiError, createClient, exportAssistantResults, NetworkError } from 'conversation-analysis-client';

const USAGE = `Usage: npx conversation-analysis-client results --assistant ID [options]
In the service's repository: npm run results -- …

Prints how often the fields of an assistant have each value, and how often the values are right, with 95% intervals, as CSV.

  --assistant ID     The assistant.
  --by KEY           Groups by this key of the metadata, such as agent. Default: by version.
  --from DAY         First day, such as 2026-11-01. Default: 29 days before the last.
  --to DAY           Last day. Default: today.
  --timezone ZONE    Time zone of the days, such as Asia/Tashkent. Default: UTC.
  --delimiter NAME   comma (default), semicolon or tab.
  --url URL          URL of the service. Default: API_URL, or http://127.0.0.1:3000.
  --token TOKEN      API token. Default: API_TOKEN. Prefer the variable: other users of the machine can see arguments.
  --help             Show this text.

Exit codes: 0 printed, 2 wrong arguments, token or assistant.`;

class UsageError extends Error {}

function readOptions() {
  const option = { type: 'string' } as const;
  const query = { from: option, to: option, timezone: option, delimiter: option };
  const options = { ...query, assistant: option, by: option, url: option, token: option, help: { type: 'boolean' } };
  try {
    return parseArgs({ options: options as typeof options & { help: { type: 'boolean' } } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function main(): Promise<void> {
  const { assistant: id, by, help, url, token = process.env['API_TOKEN'], ...query } = readOptions();
  if (help) return void process.stdout.write(`${USAGE}\n`);
  const base = url ?? process.env['API_URL'] ?? 'http://127.0.0.1:3000';
  if (id === undefined) throw new UsageError('--assistant is required');
  if (!token) throw new UsageError('API_TOKEN is not set');
  if (!URL.canParse(base)) throw new UsageError(`${base} is not a URL`);
  const client = createClient({ baseUrl: `${base.replace(/(?<!\/)\/+$/, '')}/api`, auth: () => token });
  const group = by === undefined ? {} : { group_by: `metadata.${by}` };
  const asked = { ...query, ...group } as Parameters<typeof exportAssistantResults>[0]['query'] & {};
  const { data } = await exportAssistantResults({ client, path: { id }, query: asked, parseAs: 'text' });
  process.stdout.write(data);
}

try {
  await main();
} catch (error) {
  if (![UsageError, ApiError, NetworkError].some((known) => error instanceof known)) throw error;
  process.stderr.write(`${(error as Error).message}\n${error instanceof UsageError ? 'See --help.\n' : ''}`);
  process.exitCode = 2;
}
