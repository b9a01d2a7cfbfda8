/**
 * `npm run test:llama-server`: analyzes conversations with a real llama-server as the provider `local`. The model has random
 * weights. The server forces its output to match the schema, so the test checks only the format.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SessionSchema, type Session } from '../../contract/sessions/sessions.ts';
import { findModelServer } from '../../local/find-model-server.ts';
import { freePort } from '../../local/ports.ts';
import { startLocal } from '../../local/start.ts';
import { runBackwards, runMain, type Stop } from '../../runtime/process/process.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { findLlamaServer, writeModel } from './llama-server-program.ts';

/** Context size in tokens for each of two parallel conversations. */
const CONTEXT = 16_384;

const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'mood', type: 'enum', options: ['calm', 'annoyed'], description: 'How does the client feel?' },
];
const SHORT = [
  { role: 'operator', text: 'Good morning, how can I help?' },
  { role: 'client', text: 'My parcel has not arrived. «Где моя посылка?»' },
];
const LONG = [{ role: 'client', text: 'My parcel has not arrived. '.repeat(CONTEXT / 10) }];

await runMain(async () => {
  const stops: Stop[] = [];
  try {
    await checkSessions(await start(stops));
  } finally {
    await runBackwards(stops);
  }
});
process.exit();

/** Starts llama-server and the service. Returns the API's URL. */
async function start(stops: Stop[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cas-llama-'));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const program = await findLlamaServer(process.env, console.log);
  const model = await writeModel(folder, process.env, console.log);
  const port = await freePort();
  const server = spawn(
    program,
    [
      '--model',
      model,
      '--alias',
      'random',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--ctx-size',
      String(2 * CONTEXT),
      '--parallel',
      '2',
    ],
    { stdio: 'ignore' },
  );
  stops.push(() => void server.kill());
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady, true, 60_000);
  // As `npm start` finds it on its usual port.
  const found = await findModelServer({}, console.log, [{ title: 'llama-server', port }]);
  expect(found).to.deep.equal({ LOCAL_LLM_BASE_URL: `${url}/v1`, LOCAL_LLM_MODELS: 'random' });
  const service = await startLocal(
    {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      PORT: '0',
      PROVIDER_TIMEOUT_S: '1800',
      ...found,
    },
    console.log,
  );
  stops.push(() => service.stop());
  return service.endpoints.api_url;
}

async function checkSessions(url: string): Promise<void> {
  const api = { url };
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID(), name: 'Tester' };
  const { token } = (await send(api, 'register', { body: account })).body;

  async function analyze(conversation: object[], fields?: object[]): Promise<Session> {
    const settings = { name: 'Own model', type: 'text', llm_provider: 'local', system_prompt: 'Summarize.', fields };
    const { body: assistant } = await send(api, 'createAssistant', { token, body: settings });
    const body = { assistant_id: assistant.id, conversation };
    const headers = { prefer: 'respond-async' };
    const { session_id: id } = (await send(api, 'submitTextRequest', { token, body, headers })).body;
    const read = async () => (await send(api, 'getSession', { token, params: { id } })).body;
    return SessionSchema.parse(await eventually(read, ({ completed_at }) => completed_at !== null, 1_800_000));
  }

  const report = ({ status, cost_breakdown, error, raw_response }: Session) =>
    console.log(JSON.stringify({ status, cost_breakdown, error, raw_response }, null, 2));

  console.log('\nA conversation:');
  const plain = await analyze(SHORT);
  report(plain);
  expect(plain).to.include({ status: 'completed', simulated: false, total_cost: 0, cost_known: true });
  expect(plain.assistant).to.include({ llm_provider: 'local', llm_model: 'random' });
  expect(plain.summary_text).to.equal(plain.raw_response?.['summary_text']);
  expect(plain.raw_response).to.have.all.keys('summary_text', 'topics', 'sentiment', 'action_items', 'findings');

  console.log('\nA conversation with fields:');
  const asked = await analyze(SHORT, FIELDS);
  report(asked);
  expect(asked).to.include({ status: 'completed', cost_known: true });
  const { fields } = asked.raw_response as { fields: { resolved: unknown; mood: unknown } };
  expect([true, false, null]).to.include(fields.resolved);
  expect(['calm', 'annoyed', null]).to.include(fields.mood);

  console.log('\nA conversation that is longer than the context:');
  const long = await analyze(LONG);
  report(long);
  expect(long).to.include({ status: 'failed' });
  expect(long.error).to.include({ code: 'too_large', provider: 'local', retryable: false });
  console.log('\nAll as expected.');
}
