/** `npm run results -- --assistant ID [--by KEY]`: prints what the sessions of an assistant say, by group, as CSV. See `--help`. */
import { createClient, exportAssistantResults } from 'conversation-analysis-client';
import { readArgs, readService, runCommand, UsageError } from '../command.ts';

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

async function main(): Promise<number> {
  const option = { type: 'string' } as const;
  const asked = { from: option, to: option, timezone: option, delimiter: option };
  const { values } = readArgs({ options: { ...asked, assistant: option, by: option, url: option, token: option } });
  const { assistant: id, by, url, token, ...chosen } = values;
  if (id === undefined) throw new UsageError('--assistant is required');
  const service = readService({ url, token });
  const client = createClient({ baseUrl: service.api, auth: () => service.token });
  const query = { ...chosen, ...(by !== undefined && { group_by: `metadata.${by}` }) };
  const { data } = await exportAssistantResults({
    ...{ client, path: { id }, parseAs: 'text' },
    query: query as Parameters<typeof exportAssistantResults>[0]['query'] & {},
  });
  process.stdout.write(data);
  return 0;
}

await runCommand(USAGE, main);
