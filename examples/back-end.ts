/**
 * A back end that submits calls and stores every result exactly once: docs/build-a-back-end.md. Stop or kill it at any time,
 * and start it again. Needs Node 24 and the packages `conversation-analysis-client` and `standardwebhooks`.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import {
  ApiError,
  createClient,
  getSession,
  isRetryable,
  listSessions,
  paginate,
  submitTextRequest,
  submitVoiceRequest,
  type Session,
  type WebhookPayload,
} from 'conversation-analysis-client';
import { Webhook } from 'standardwebhooks';

const { API_URL = '', API_TOKEN = '', WEBHOOK_SECRET = '', PORT = '4000', DATABASE = 'back-end.db' } = process.env;
const { TEXT_ASSISTANT = '', VOICE_ASSISTANT = '' } = process.env;

const CATCH_UP_EVERY_MS = 24 * 3_600_000;

const client = createClient({ baseUrl: `${API_URL}/api`, auth: API_TOKEN });
// The key is the secret itself. Without `format`, the package would decode the secret from base64.
const webhook = new Webhook(WEBHOOK_SECRET, { format: 'raw' });

const database = new DatabaseSync(DATABASE);
// A call has either turns as JSON or the path of a recording. `problem` says why the service refused it.
database.exec(`
  create table if not exists calls (call_id text primary key, turns text, recording text, session_id text, problem text);
  create table if not exists results (session_id text primary key, call_id text, summary_text text, raw_response text);
  create table if not exists caught_up (until text);
`);

interface Call {
  call_id: string;
  turns: string | null;
  recording: string | null;
}

/** Submits every call that has no session yet. After a crash, the key makes the service return the first session. */
async function submitCalls(): Promise<void> {
  const waiting = database.prepare('select * from calls where session_id is null and problem is null').all();
  for (const call of waiting as unknown as Call[]) {
    try {
      const { session_id } = await submit(call);
      database.prepare('update calls set session_id = ? where call_id = ?').run(session_id, call.call_id);
      console.log(`submitted ${call.call_id}`);
    } catch (error) {
      // The next run submits the call again.
      if (isRetryable(error)) console.error(`${call.call_id}: ${String(error)}`);
      else if (error instanceof ApiError && error.status !== 401)
        database.prepare('update calls set problem = ? where call_id = ?').run(error.message, call.call_id);
      else throw error;
    }
  }
}

async function submit({ call_id, turns, recording }: Call): Promise<Session> {
  const headers = { 'Idempotency-Key': `call-${call_id}`, Prefer: 'respond-async' };
  if (recording === null) {
    const conversation = JSON.parse(turns ?? '[]') as { role: string; text: string }[];
    const body = { assistant_id: TEXT_ASSISTANT, conversation, metadata: { call_id } };
    return (await submitTextRequest({ client, headers, body })).data;
  }
  const audio_file = new File([await openAsBlob(recording)], basename(recording));
  const body = { assistant_id: VOICE_ASSISTANT, audio_file, metadata: JSON.stringify({ call_id }) };
  return (await submitVoiceRequest({ client, headers, body })).data;
}

type Result = Pick<Session, 'session_id' | 'summary_text'> & { raw_response?: unknown; metadata?: unknown };

/** Stores a result unless it is stored. A session completes only once, so its ID is the key. */
function store({ session_id, summary_text, raw_response, metadata }: Result): void {
  const { call_id = null } = (metadata ?? {}) as { call_id?: string };
  const { changes } = database
    .prepare('insert into results values (?, ?, ?, ?) on conflict do nothing')
    .run(session_id, call_id, summary_text, JSON.stringify(raw_response));
  if (changes === 1) console.log(`stored ${call_id}`);
}

/** Stores a webhook and returns the status of the response. */
async function receive(request: IncomingMessage): Promise<number> {
  // The signature covers the exact bytes.
  const body = (await buffer(request)).toString();
  let event: WebhookPayload;
  try {
    event = webhook.verify(body, request.headers as Record<string, string>) as WebhookPayload;
  } catch {
    return 401;
  }
  console.log(`received ${event.event}`);
  // Other events, such as webhook.test, have no result. Responding 500 makes the service send the event again.
  if (event.event === 'session.completed') store(event);
  return 204;
}

/** Stores the results of all sessions that completed since the last time, whether their webhooks arrived or not. */
async function catchUp(): Promise<void> {
  const last = database.prepare('select until from caught_up').get() as { until: string } | undefined;
  const since = Date.parse(last?.until ?? '2026-01-01T00:00:00Z');
  // A session can become visible shortly after one that ended later.
  const completed_after = new Date(since - 60_000).toISOString();
  const query = { completed_after, sort: 'completed_at', status: 'completed', reanalysis: 'false' } as const;
  let until = last?.until;
  for await (const { session_id, assistant_id, completed_at } of paginate(listSessions, {
    client,
    query: { ...query, limit: 200 },
  })) {
    until = completed_at ?? until;
    // Other programs may use the workspace.
    if (![TEXT_ASSISTANT, VOICE_ASSISTANT].includes(assistant_id)) continue;
    if (database.prepare('select 1 from results where session_id = ?').get(session_id)) continue;
    const { data } = await getSession({ client, path: { id: session_id } });
    store(data);
  }
  if (until === undefined) return;
  database.exec('begin; delete from caught_up');
  database.prepare('insert into caught_up values (?)').run(until);
  database.exec('commit');
}

/** The nightly job, which also runs at the start. */
async function work(): Promise<void> {
  await submitCalls();
  await catchUp();
  console.log('caught up');
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  );
});

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log('listening');
  const run = () => void work().catch((error: unknown) => console.error(String(error)));
  run();
  setInterval(run, CATCH_UP_EVERY_MS);
});
