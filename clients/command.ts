/** What the commands share: their arguments, the service that they call, and how they end. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ApiError, NetworkError } from 'conversation-analysis-client';

/** An argument or a variable is wrong. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Returns the arguments. Throws `UsageError`. */
export function readArgs<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Returns the URL of the service, the URL of its API, and the token: of the options, else of the variables. Throws `UsageError`. */
export function readService(options: { url?: string | undefined; token?: string | undefined }, env = process.env) {
  const { url = env['API_URL'] ?? 'http://127.0.0.1:3000', token = env['API_TOKEN'] } = options;
  if (!token) throw new UsageError('API_TOKEN is not set');
  requireUrl(url);
  return { url, api: `${url.replace(/(?<!\/)\/+$/, '')}/api`, token };
}

/** Throws `UsageError` unless the text is a URL. */
export function requireUrl(url: string): void {
  if (!URL.canParse(url)) throw new UsageError(`"${url}" is not a URL`);
}

/** Runs a command, or prints its usage. Sets the exit code, which is 2 after an expected error. */
export async function runCommand(usage: string, main: () => Promise<number>): Promise<void> {
  try {
    if (process.argv.includes('--help')) process.stdout.write(`${usage}\n`);
    else process.exitCode = await main();
  } catch (error) {
    if (![UsageError, ApiError, NetworkError].some((known) => error instanceof known)) throw error;
    process.stderr.write(`${(error as Error).message}\n${error instanceof UsageError ? 'See --help.\n' : ''}`);
    process.exitCode = 2;
  }
}
