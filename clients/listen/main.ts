/** `npm run listen -- --forward URL`: also sends the webhooks of a workspace to a URL that the service can't reach. See `--help`. */
import { readArgs, readService, requireUrl, runCommand, UsageError } from '../command.ts';
import { listen } from './listen.ts';

const USAGE = `Usage: npm run listen -- --forward URL [options]

Sends every webhook of a workspace to a URL on this machine, with the same body and headers, until you stop it.
The service delivers to the webhook_url as before. An assistant without a webhook_url has no deliveries: set any URL.
Each delivery is forwarded once, after its first attempt. After a lost connection, the command continues where it was.

  --forward URL      Local URL that receives the webhooks, such as http://127.0.0.1:4000/hook.
  --assistant ID     Only the deliveries of this assistant.
  --since TIME       Also forward the deliveries created since this time, such as 2026-11-21T00:00:00Z. Default: now.
  --url URL          URL of the service. Default: API_URL, or http://127.0.0.1:3000.
  --help             Show this text.

API_TOKEN needs the scopes sessions:read and webhooks:read. With WEBHOOK_SECRET, the secret of the assistant, requests have a new
signature and Authorization. Without it, they have the signature of the attempt, which is valid for five minutes, and no Authorization.

Exit codes: 0 stopped, 2 wrong arguments or token.`;

function readOptions() {
  const options = { forward: { type: 'string' }, assistant: { type: 'string' }, since: { type: 'string' } } as const;
  const { values } = readArgs({ options: { ...options, url: { type: 'string' } } });
  const { forward = '', url, assistant, since } = values;
  const { api, token } = readService({ url });
  requireUrl(forward);
  if (since !== undefined && Number.isNaN(Date.parse(since))) throw new UsageError(`"${since}" is not a time`);
  return { api, token, secret: process.env['WEBHOOK_SECRET'], forward, assistant, since };
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
const print = (line: string) => process.stdout.write(`${line}\n`);
await runCommand(USAGE, async () => {
  await listen({ ...readOptions(), print, signal: stop.signal });
  return 0;
});
