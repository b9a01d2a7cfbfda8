/** Asks the service at the start what the token may do, so that an import does not fail file by file. */
import { ApiError, listSessions, retrySession, submitTextRequest, type Client } from 'conversation-analysis-client';
import { UsageError } from '../command.ts';

/** A session that does not exist, and a submission without content: they change nothing. */
const NO_SESSION = { id: 'sess_00000000000000000000000000' };
const NO_BODY = {} as Parameters<typeof submitTextRequest>[0]['body'];

const CALLS: Record<string, (call: { client: Client; signal: AbortSignal }) => Promise<unknown>> = {
  'sessions:read': (call) => listSessions({ ...call, query: { limit: 1 } }),
  'requests:write': (call) => submitTextRequest({ ...call, body: NO_BODY }),
  'sessions:write': (call) => retrySession({ ...call, path: NO_SESSION }),
};

/** Throws `UsageError` that names every scope that the token lacks. */
export async function checkScopes(client: Client, signal: AbortSignal): Promise<void> {
  const missing: string[] = [];
  for (const [scope, ask] of Object.entries(CALLS)) {
    const error: unknown = await ask({ client, signal }).then(
      () => undefined,
      (refused: unknown) => refused,
    );
    if (error !== undefined && !(error instanceof ApiError)) throw error as Error;
    if (error?.code === 'insufficient_scope') missing.push(scope);
  }
  if (missing.length > 0) throw new UsageError(`The token lacks the scopes ${missing.join(', ')}.`);
}
