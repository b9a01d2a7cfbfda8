/**
 * `npm run demo`: sends a text and a voice conversation through the real service, from registration to webhook. Then compares
 * two prompts with reviewed conversations.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, openAsBlob, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ApiError,
  createAssistant,
  createClient,
  createKey,
  login,
  NetworkError,
  register,
  submitTextRequest,
  submitVoiceRequest,
  type AssistantInput,
  type Client,
  type Session,
  type TurnInput,
} from 'conversation-analysis-client';
import { API_BASE } from '../contract/values/constants.ts';
import { refuseArguments, runMain, StartError } from '../runtime/process/process.ts';
import { runExperiment, type Experiment } from './demo-experiment.ts';
import { startDemoReceiver } from './demo-receiver.ts';
import { followDelivery, heading, showResult } from './demo-show.ts';
import { startLocal, type Endpoints } from './start.ts';

const WRITTEN = new URL('../examples/samples/support-call.json', import.meta.url);
const SPOKEN = new URL('../examples/samples/support-call.mp3', import.meta.url);

/** Default URL of `npm start`. */
const USUAL_URL = 'http://127.0.0.1:3000';

const PROMPT = 'Summarize the call in two sentences. Name what was promised to the client and by when.';

/** The fields of the demo's assistants. */
const FIELDS: AssistantInput['fields'] & object = [
  { name: 'visit', title: 'Visit agreed on', type: 'boolean', description: 'Was the visit of a technician agreed on?' },
  {
    name: 'topic',
    title: 'Topic',
    type: 'enum',
    description: 'What is it about?',
    options: ['connection', 'parcel', 'bill'],
  },
  { name: 'ticket', title: 'Ticket', type: 'string', description: 'Number of the ticket.' },
  {
    name: 'phone',
    title: 'End of the phone number',
    type: 'integer',
    description: 'What the phone number is ending in.',
  },
  { name: 'apologies', title: 'Apologies', type: 'string_list', description: 'What the operator is sorry for.' },
  { name: 'canceled', title: 'Date of the cancellation', type: 'string', description: 'Date of a cancellation.' },
];

await runMain(async () => {
  refuseArguments();
  const running = await findRunning(process.env['DATA_DIR'] || '.data');
  const service = running ? { endpoints: running, stop: async () => undefined } : await startOwn();
  const receiver = await startDemoReceiver();
  try {
    const client = createClient({ baseUrl: service.endpoints.api_url + API_BASE });
    const account = await openAccount(client);
    const sessions = [await analyzeText(client, receiver.url), await analyzeVoice(client)];
    const experiment = await runExperiment(client);
    showWorkflows(service.endpoints, sessions, running ? '' : ' (while the service runs: npm start)');
    showConsole(running?.api_url, { sessions, experiment, account });
  } catch (error) {
    throw explain(error);
  } finally {
    await receiver.stop();
    await service.stop();
  }
  process.exit(0);
});

/** Returns the error of a call as a sentence that says what to do. */
function explain(error: unknown): unknown {
  if (error instanceof NetworkError) return new StartError(`${error.message} Is the service still running?`);
  if (!(error instanceof ApiError)) return error;
  const { message, status, request_id } = error;
  return new StartError(`${message} (HTTP ${status}; search the service's log for ${request_id})`);
}

interface Account {
  email: string;
  password: string;
}

async function openAccount(client: Client): Promise<Account> {
  heading('Account');
  const email = `demo-${randomBytes(6).toString('hex')}@example.com`;
  const password = randomBytes(18).toString('base64url');
  await register({ client, body: { email, password, name: 'Demo' } });
  const { data: session } = await login({ client, body: { email, password } });
  client.setConfig({ auth: session.token });
  const { data: key } = await createKey({ client, body: { name: 'demo' } });
  client.setConfig({ auth: key.token });
  console.log(`  ${email}, API token ${key.prefix}…`);
  return { email, password };
}

async function analyzeText(client: Client, webhookUrl: string): Promise<Session> {
  heading('Assistant');
  const { data: assistant } = await createAssistant({
    client,
    body: {
      name: 'Support call review',
      type: 'text',
      llm_provider: 'openai',
      system_prompt: PROMPT,
      fields: FIELDS,
      webhook_url: webhookUrl,
      webhook_secret: randomBytes(18).toString('base64url'),
    },
  });
  console.log(`  ${assistant.id}: ${assistant.llm_provider} ${assistant.llm_model}, webhook ${webhookUrl}`);

  heading('Conversation');
  const conversation = JSON.parse(readFileSync(WRITTEN, 'utf8')) as TurnInput[];
  console.log(`  ${conversation.length} turns of examples/samples/support-call.json; waiting for the result …`);
  const { data: session } = await submitTextRequest({ client, body: { assistant_id: assistant.id, conversation } });
  showResult(session);
  heading('Webhook');
  await followDelivery(client, session);
  return session;
}

async function analyzeVoice(client: Client): Promise<Session> {
  heading('Voice assistant');
  const { data: assistant } = await createAssistant({
    client,
    body: {
      name: 'Phone call review',
      type: 'voice',
      stt_provider: 'elevenlabs',
      llm_provider: 'openai',
      system_prompt: PROMPT,
      fields: FIELDS,
    },
  });
  const { stt_provider, stt_model, llm_provider, llm_model } = assistant;
  console.log(`  ${assistant.id}: ${stt_provider} ${stt_model}, then ${llm_provider} ${llm_model}`);

  heading('Spoken conversation');
  const audio_file = new File([await openAsBlob(SPOKEN)], 'support-call.mp3');
  console.log('  examples/samples/support-call.mp3; waiting for the result …');
  const { data: session } = await submitVoiceRequest({ client, body: { assistant_id: assistant.id, audio_file } });
  showResult(session);
  return session;
}

function showWorkflows(endpoints: Endpoints, sessions: readonly Session[], note: string): void {
  const { temporal_ui_url: url, temporal_namespace: namespace } = endpoints;
  if (url === null) return;
  heading(`Temporal UI${note}`);
  for (const { session_id, type } of sessions) {
    console.log(`  ${type}: ${url}/namespaces/${namespace}/workflows/${session_id}`);
  }
}

interface Shown {
  sessions: readonly Session[];
  experiment: Experiment | undefined;
  account: Account;
}

/** Prints where to view the results and how to log in. @param running URL of a service that keeps running, if there is one. */
function showConsole(running: string | undefined, { sessions, experiment, account }: Shown): void {
  heading(running === undefined ? 'Console, after `npm start`' : 'Console');
  console.log(`  Log in as ${account.email} with the password ${account.password}`);
  const url = `${running ?? USUAL_URL}/console`;
  if (experiment) {
    console.log(`  accuracy: ${url}/assistants/${experiment.assistantId}/results`);
    console.log(`  experiment: ${url}/batches/${experiment.batchId}`);
  }
  console.log(`  ${url}/sessions/${sessions.at(-1)?.session_id ?? ''}\n`);
}

/** Returns the URL of a service that already runs on the data directory, or undefined. */
async function findRunning(dataDir: string): Promise<Endpoints | undefined> {
  const file = join(dataDir, 'endpoints.json');
  if (!existsSync(file)) return undefined;
  const endpoints = JSON.parse(readFileSync(file, 'utf8')) as Endpoints;
  const isReady = await fetch(`${endpoints.api_url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
  if (isReady) console.log(`Using the service at ${endpoints.api_url}.`);
  return isReady ? endpoints : undefined;
}

/**
 * Starts a service for the demo on a free port. It listens on loopback, like the demo's webhook receiver. The data is kept in
 * the data directory.
 */
function startOwn() {
  console.log('No service is running. Starting one for the demo.');
  return startLocal({ LOG_LEVEL: 'warn', PORT: '0', ...process.env, HOST: '127.0.0.1' }, console.log);
}
