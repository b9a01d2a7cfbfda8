/** `npm run demo`: one conversation through the real service, from the account to the webhook. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Assistant } from '../contract/assistants.ts';
import type { Login } from '../contract/account.ts';
import type { Delivery } from '../contract/deliveries.ts';
import type { CreatedApiKey } from '../contract/keys.ts';
import type { Session, Turn } from '../contract/sessions.ts';
import { runMain, StartError } from '../runtime/process.ts';
import { createDemoClient } from './demo-client.ts';
import type { DemoClient } from './demo-client.ts';
import { startDemoReceiver } from './demo-receiver.ts';
import { startLocal } from './start.ts';
import type { Endpoints } from './start.ts';

const SAMPLE = new URL('../samples/support-call.json', import.meta.url);
const DELIVERY_TIMEOUT_MS = 15 * 60_000;

await runMain(async () => {
  const running = await findRunning(process.env['DATA_DIR'] || '.data');
  const service = running ? { endpoints: running, stop: async () => undefined } : await startOwn();
  const receiver = await startDemoReceiver();
  try {
    await walk(service.endpoints, receiver.url);
  } finally {
    await receiver.stop();
    await service.stop();
  }
  console.log('\nDone. `npm start` keeps the service up for use.');
  process.exit(0);
});

async function walk(endpoints: Endpoints, webhookUrl: string): Promise<void> {
  const client = createDemoClient(endpoints.api_url);

  heading('Account');
  const email = `demo-${randomBytes(6).toString('hex')}@example.com`;
  const password = randomBytes(18).toString('base64url');
  await client.call<Login>('register an account', 'POST', '/v1/auth/register', { email, password, name: 'Demo' });
  const login = await client.call<Login>('log in', 'POST', '/v1/auth/login', { email, password });
  client.useToken(login.token);
  const key = await client.call<CreatedApiKey>('make an API token', 'POST', '/v1/keys', { name: 'demo' });
  client.useToken(key.token);
  console.log(`  ${email}, API token ${key.prefix}…`);

  heading('Assistant');
  const assistant = await client.call<Assistant>('create an assistant', 'POST', '/v1/assistants', {
    name: 'Support call review',
    type: 'text',
    llm_provider: 'openai',
    system_prompt: 'Summarise the call in two sentences. Name what was promised to the client and by when.',
    webhook_url: webhookUrl,
    webhook_secret: randomBytes(18).toString('base64url'),
  });
  console.log(`  ${assistant.id}: ${assistant.llm_provider} ${assistant.llm_model}, webhook ${webhookUrl}`);

  heading('Conversation');
  const conversation = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Turn[];
  console.log(`  ${conversation.length} turns of samples/support-call.json; waiting for the result …`);
  const session = await client.call<Session>('submit the conversation', 'POST', '/v1/requests/text', {
    assistant_id: assistant.id,
    conversation,
  });
  showResult(session);

  heading('Webhook');
  await followDelivery(client, session);
  if (endpoints.temporal_ui_url !== null) {
    heading('Temporal UI');
    console.log(
      `  ${endpoints.temporal_ui_url}/namespaces/${endpoints.temporal_namespace}/workflows/${session.session_id}`,
    );
  }
}

function showResult(session: Session): void {
  if (session.status !== 'completed') {
    throw new StartError(
      `The session is ${session.status} and not completed. Look at ${session.session_id} in the Temporal UI.`,
    );
  }
  const { summary_text, raw_response, total_cost, cost_known, simulated } = session;
  console.log(`  ${session.session_id} is ${session.status}${simulated ? ' (simulated: no vendor key is set)' : ''}`);
  heading('summary_text');
  console.log(`  ${summary_text ?? ''}`);
  heading('raw_response');
  console.log(JSON.stringify(raw_response, null, 2).replaceAll(/^/gm, '  '));
  heading('total_cost');
  console.log(`  ${total_cost} US dollars${cost_known ? '' : ' (the price of a call is not known)'}`);
}

/** Shows each attempt once it has ended, until the delivery has. */
async function followDelivery(client: DemoClient, session: Session): Promise<void> {
  const path = `/v1/sessions/${session.session_id}/deliveries`;
  let shown = 0;
  for (const deadline = Date.now() + DELIVERY_TIMEOUT_MS; Date.now() < deadline; await sleep(250)) {
    const { data } = await client.call<{ data: Delivery[] }>('read the deliveries', 'GET', path);
    const delivery = data[0];
    if (!delivery) throw new StartError('The session has no delivery although the assistant has a webhook.');
    for (const attempt of delivery.attempts.filter((each) => each.outcome !== null).slice(shown)) {
      shown = attempt.attempt;
      const end = attempt.failure ?? 'delivered';
      console.log(
        `  attempt ${attempt.attempt}: ${end}, HTTP ${attempt.status_code ?? '–'}, ${attempt.duration_ms ?? '?'} ms`,
      );
      if (attempt.next_attempt_at !== null) console.log(`  next attempt at ${attempt.next_attempt_at}`);
    }
    if (delivery.status === 'delivered') return;
    if (delivery.status !== 'pending') throw new StartError(`The delivery is ${delivery.status}. See ${path}.`);
  }
  throw new StartError(`The delivery did not end within ${DELIVERY_TIMEOUT_MS / 60_000} minutes. See ${path}.`);
}

/** The service that runs on the same data directory, if one does. */
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

/** On a free port, so that it never meets another service; its data stays in the data directory. */
function startOwn() {
  console.log('No service is running; starting one for the demo.');
  return startLocal({ LOG_LEVEL: 'warn', PORT: '0', ...process.env }, console.log);
}

function heading(text: string): void {
  console.log(`\n${text}`);
}
