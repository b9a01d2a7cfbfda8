import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { newFolder } from '../support/new-folder.ts';
import { useSharedService } from '../support/shared-service.ts';

const PROGRAM = 'examples/back-end.ts';
const SAMPLE = 'examples/samples/support-call.mp3';
const SECRET = 'a-secret-of-the-back-end';
const CALLS = 16;

/** The lines after which the program is killed. */
const STEPS = [
  /^listening/,
  /^submitted call-2/,
  /^received/,
  /^stored/,
  /^submitted call-9/,
  /^stored/,
  /^submitted call-15/,
];

describe('examples/back-end.ts', () => {
  const service = useSharedService();
  let environment: Record<string, string>;
  let token: string;
  let database: DatabaseSync;

  beforeEach(async () => {
    ({ token } = await createUser());
    const port = await freePort();
    const settings = { name: 'Back end', llm_provider: 'openai', system_prompt: 'Summarize.' } as const;
    const webhook = { webhook_url: `http://127.0.0.1:${port}/`, webhook_secret: SECRET };
    const ids = [];
    for (const type of ['text', 'voice'] as const) {
      const body = { ...settings, ...webhook, type };
      ids.push((await send(service.api, 'createAssistant', { token, body })).body.id);
    }
    const body = { name: 'back end', scopes: ['requests:write' as const, 'sessions:read' as const] };
    const key = (await send(service.api, 'createKey', { token, body })).body.token;
    const DATABASE = join(newFolder(), 'back-end.db');
    const [TEXT_ASSISTANT = '', VOICE_ASSISTANT = ''] = ids;
    environment = { API_URL: service.api.url, API_TOKEN: key, WEBHOOK_SECRET: SECRET, PORT: String(port), DATABASE };
    Object.assign(environment, { TEXT_ASSISTANT, VOICE_ASSISTANT });
    // Creates the tables.
    await runUntil(/^listening/);
    database = new DatabaseSync(DATABASE, { timeout: 5_000 });
    const turns = JSON.stringify([{ role: 'client', text: 'My parcel has not arrived.' }]);
    for (let n = 0; n < CALLS; n++) {
      const isVoice = n >= 12;
      database
        .prepare('insert into calls (call_id, turns, recording) values (?, ?, ?)')
        .run(`call-${n}`, isVoice ? null : turns, isVoice ? SAMPLE : null);
    }
  });
  afterEach(() => database.close());

  function start() {
    const child = spawn(process.execPath, [PROGRAM], { env: { ...process.env, ...environment }, stdio: 'pipe' });
    const lines = createInterface({ input: child.stdout });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const stop = async () => {
      const exited = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await exited;
    };
    return { lines, stop, errors: () => errors };
  }

  /** Starts the program, and kills it after the line. */
  async function runUntil(step: RegExp): Promise<void> {
    const { lines, stop, errors } = start();
    let isFound = false;
    for await (const line of lines) {
      isFound = step.test(line);
      if (isFound) break;
    }
    await stop();
    expect(isFound, `${step}: ${errors()}`).to.equal(true);
  }

  /** Runs `npm run listen` from the first event until it has forwarded one to the program. */
  async function forward(): Promise<void> {
    const { API_URL = '', PORT = '' } = environment;
    const args = ['--forward', `http://127.0.0.1:${PORT}/`, '--since', '2026-01-01T00:00:00Z'];
    const env = { ...process.env, API_URL, API_TOKEN: token, WEBHOOK_SECRET: SECRET };
    const child = spawn(process.execPath, ['clients/listen/main.ts', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    let isForwarded = false;
    for await (const line of createInterface({ input: child.stdout })) {
      isForwarded = / 204\b/.test(line);
      if (isForwarded) break;
    }
    child.kill();
    await exited;
    expect(isForwarded).to.equal(true);
  }

  const results = () =>
    database.prepare('select call_id, session_id from results order by call_id').all() as Record<string, unknown>[];

  /** Returns whether the program can no longer print this line, because it was quick before it was killed. */
  function isPast(step: RegExp): boolean {
    const calls = database.prepare('select call_id from calls where session_id is not null').all();
    return calls.some(({ call_id }) => step.test(`submitted ${String(call_id)}`)) || results().length >= CALLS;
  }

  it('stores 16 results exactly once, even if it is killed at every step, and after redelivery, listen and catching up', async () => {
    for (const step of STEPS) if (!isPast(step)) await runUntil(step);
    const running = start();
    let stored;
    try {
      stored = await eventually(
        () => results(),
        (rows) => rows.length >= CALLS,
      );
      expect(new Set(stored.map(({ call_id }) => call_id)).size).to.equal(CALLS);
      const { total } = (await send(service.api, 'countSessions', { token })).body;
      expect(total).to.equal(CALLS);

      const count = async (query: { batch_id?: string; status: 'delivered' }) =>
        (await send(service.api, 'countDeliveries', { token, query })).body.total;
      await eventually(
        () => count({ status: 'delivered' }),
        (delivered) => delivered > 0,
      );
      const body = { action: 'redeliver' as const, filter: { delivery_status: 'delivered' as const } };
      const { batch_id } = (await send(service.api, 'createBatch', { token, body })).body as { batch_id: string };
      await eventually(
        () => count({ batch_id, status: 'delivered' }),
        (delivered) => delivered > 0,
      );
      await forward();
      expect(results()).to.deep.equal(stored);
    } finally {
      await running.stop();
    }

    // A receiver that lost its results reads them again.
    database.exec('delete from results; delete from caught_up');
    await runUntil(/^caught up/);
    expect(results()).to.deep.equal(stored);
  });

  it('stores the results of a time in which no webhook could arrive, and none of another assistant', async () => {
    const other = { name: 'Other program', type: 'text', llm_provider: 'openai', system_prompt: 'Summarize.' } as const;
    const { id: assistant_id } = (await send(service.api, 'createAssistant', { token, body: other })).body;
    const conversation = [{ role: 'client', text: 'Hello?' }];
    await send(service.api, 'submitTextRequest', { token, body: { assistant_id, conversation } });
    const body = { webhook_url: null };
    const { API_TOKEN: _, TEXT_ASSISTANT: text = '', VOICE_ASSISTANT: voice = '' } = environment;
    for (const id of [text, voice]) await send(service.api, 'updateAssistant', { token, params: { id }, body });
    await runUntil(/^caught up/);
    const query = { status: 'completed' as const };
    await eventually(
      async () => (await send(service.api, 'countSessions', { token, query })).body.total,
      (completed) => completed === CALLS + 1,
    );
    await runUntil(/^caught up/);
    expect(results()).to.have.length(CALLS);
  });
});
