/** What a user does who takes all that there is. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { connectDatabase } from '../db/connect.ts';
import { AssistantModel } from '../db/models/assistant.ts';
import { SessionModel } from '../db/models/session.ts';
import { createAssistant, createSession } from '../test/support/factories.ts';
import { openAccount } from './account.ts';
import type { BenchAccount } from './account.ts';
import { countEvents } from './count-events.ts';

export interface Load {
  name: string;
  prepare(): Promise<void>;
  /** Goes on until it is done, or until `signal` says that the other user was watched for long enough. */
  run(signal: AbortSignal): Promise<string>;
}

interface Target {
  apiUrl: string;
  DATABASE_URL: string;
  TEMPORAL_ADDRESS: string;
}

const ASSISTANTS = 990;
const PROMPT = 'x'.repeat(100_000);
const LARGE = Array.from({ length: 50 }, () => ({ role: 'client', text: 'y'.repeat(99_000) }));
const LARGE_REQUESTS = 50;
const SILENT_PORTS = 20;
const SMALL = 'My parcel has not arrived.';
/** Has the stand-in take as long as a model does at the least. */
const SLOWLY = '[vendor delay_ms=1000]';
const WEBHOOKS = 200;
const QUEUED = 1_000;
const QUEUED_SLOWLY = 200;
const LOST_STARTS = 10;
const END_TIMEOUT_MS = 10 * 60_000;

export function greedyLoads(target: Target): Load[] {
  const agent = new Agent({ connections: 200, headersTimeout: END_TIMEOUT_MS });
  let account: BenchAccount;
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: account.authorization, 'content-type': 'application/json' };
    const options = { method: 'POST' as const, headers: { ...headers, prefer: 'respond-async' }, dispatcher: agent };
    const answer = await request(`${target.apiUrl}/api${path}`, { ...options, body: JSON.stringify(body) });
    return { status: answer.statusCode, body: (await answer.body.json()) as { id: string; session_id: string } };
  };

  const nothing: Load = {
    name: 'nothing',
    prepare: async () => void (account = await openAccount(target.apiUrl, 'greedy')),
    run: (signal) => untilAborted(signal).then(() => ''),
  };

  const lists: Load = {
    name: `${ASSISTANTS} assistants of 100 kB, listed again and again`,
    async prepare() {
      const { user_id } = await AssistantModel.query()
        .findById(await account.addAssistant({ type: 'text' }))
        .throwIfNotFound();
      for (let i = 0; i < ASSISTANTS; i++) await createAssistant(user_id, { system_prompt: PROMPT });
    },
    async run(signal) {
      let bytes = 0;
      let count = 0;
      for (; !signal.aborted; count++) {
        const headers = { authorization: account.authorization };
        const { body } = await request(`${target.apiUrl}/api/v1/assistants`, { headers, dispatcher: agent });
        for await (const chunk of body) bytes += (chunk as Buffer).length;
      }
      return `${count} lists of ${Math.round(bytes / count / 1e6)} MB`;
    },
  };

  const bodies: Load = {
    name: `${LARGE_REQUESTS} conversations of 5 MB at once`,
    prepare: async () => undefined,
    async run() {
      const assistant_id = await account.addAssistant({ type: 'text' });
      const send = () => post('/v1/requests/text', { assistant_id, conversation: LARGE });
      const answers = await Promise.all(Array.from({ length: LARGE_REQUESTS }, send));
      const accepted = answers.filter(({ status }) => status === 202);
      await untilEnded(accepted.map(({ body }) => body.session_id));
      return `${accepted.length} accepted and ended, the rest 429`;
    },
  };

  const webhooks: Load = {
    name: `${WEBHOOKS} webhooks to ${SILENT_PORTS} silent ports`,
    prepare: async () => undefined,
    async run(signal) {
      const { urls, sockets, close } = await startSilentServers();
      await AssistantModel.query().delete().where({ system_prompt: PROMPT });
      const ids = await Promise.all(urls.map((webhook_url) => account.addAssistant({ type: 'text', webhook_url })));
      const test = (index: number) => post(`/v1/assistants/${ids[index % SILENT_PORTS]}/webhook/test`, {});
      await Promise.all(Array.from({ length: WEBHOOKS }, (_, index) => test(index)));
      await untilAborted(signal);
      close();
      return `${sockets.size} posts under way or timed out`;
    },
  };

  const queue = (queued: number, text: string): Load => ({
    name: `${queued} queued sessions, ${LOST_STARTS} starts lost${text.includes(SLOWLY) ? ', a model that takes a second' : ''}`,
    prepare: async () => undefined,
    async run() {
      const assistant_id = await account.addAssistant({ type: 'text' });
      const assistant = await AssistantModel.query().findById(assistant_id).throwIfNotFound();
      const ids: string[] = [];
      const body = { assistant_id, conversation: [{ role: 'client', text }] };
      for (let i = 0; i < LOST_STARTS; i++) ids.push((await createSession(assistant)).id);
      for (let left = queued; left > 0; left--) ids.push((await post('/v1/requests/text', body)).body.session_id);
      await untilEnded(ids);
      return `all ended; events a session: ${await countEvents(target.TEMPORAL_ADDRESS, ids)}`;
    },
  });

  connectDatabase({ url: target.DATABASE_URL, poolMax: 4 });
  return [nothing, lists, bodies, webhooks, queue(QUEUED, SMALL), queue(QUEUED_SLOWLY, `${SMALL} ${SLOWLY}`)];
}

async function startSilentServers() {
  const sockets = new Set<Socket>();
  const servers = Array.from({ length: SILENT_PORTS }, () =>
    createServer((socket) => sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return {
    sockets,
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
    },
  };
}

const untilAborted = (signal: AbortSignal) => (signal.aborted ? Promise.resolve() : once(signal, 'abort'));

async function untilEnded(ids: readonly string[]): Promise<void> {
  for (const deadline = Date.now() + END_TIMEOUT_MS; Date.now() < deadline; await sleep(1_000)) {
    const left = SessionModel.query().whereIn('id', ids).whereNull('completed_at').resultSize();
    // A busy machine may keep this very process waiting too long.
    if ((await left.catch(() => undefined)) === 0) return;
  }
  throw new Error('sessions did not end in time');
}
