/** `npm run pictures`: takes the pictures of the console in docs/pictures, from a temporary service with stand-ins. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistant } from '../contract/assistants/assistants.ts';
import { submitTextRequest } from '../contract/sessions/requests.ts';
import { AssistantModel } from '../db/models/assistant.ts';
import { UserModel } from '../db/models/user.ts';
import { startDemoReceiver } from '../local/demo-receiver.ts';
import { startLocal } from '../local/start.ts';
import { send } from '../test/support/api.ts';
import { closeBrowser, expectLocator } from '../test/support/browser.ts';
import { visitByApi, type LoggedInPage } from '../test/support/console.ts';
import { createAnswered, sessionIdAt } from '../test/support/factories.ts';
import { addVoiceAssistant, submitVoice } from '../test/support/voice.ts';

const WRITTEN = new URL('../examples/samples/support-call.json', import.meta.url);
const PICTURES = new URL('../docs/pictures/', import.meta.url);
const SIZE = { width: 1280, height: 860 };

const REASONS = ['bill', 'parcel', 'other'];

const FIELDS = [
  { name: 'complaint', title: 'Complaint', type: 'string', description: 'What is said about the parcel?' },
  {
    name: 'reason',
    title: 'Reason for the call',
    type: 'enum',
    description: 'Why did the client call?',
    options: REASONS,
  },
  {
    name: 'promises',
    title: 'Promises',
    type: 'string_list',
    description: 'What the operator promised to have delivered tomorrow.',
  },
  { name: 'refund', title: 'Refund', type: 'number', description: 'Amount of the refund.', minimum: 0 },
];

const SCORES = [8, 9, 7, null, 10, 9, 6, 8, 3, 9, 7, 5, 8];
const COUNTED = [
  {
    name: 'reason',
    title: 'Reason for the call',
    type: 'enum',
    description: 'Why did the client call?',
    options: REASONS,
  },
  {
    name: 'score',
    title: 'Satisfaction',
    type: 'integer',
    description: 'Satisfaction of the client.',
    minimum: 1,
    maximum: 10,
  },
];
const ANSWERED = 90;
const DAYS = 28;
const DAY_MS = 86_400_000;

const directory = mkdtempSync(join(tmpdir(), 'cas-pictures-'));
const say = (line: string) => void process.stdout.write(`${line}\n`);
const running = await startLocal({ ...process.env, DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'error' }, say);
const service = { url: running.endpoints.api_url };
const receiver = await startDemoReceiver({ quiet: true });
try {
  const visitor = await visitByApi(service);
  await visitor.page.setViewportSize(SIZE);
  await UserModel.query().patch({ email: 'ada@example.com' });
  const sessionId = await fill(visitor);
  await inBothThemes(visitor, async (theme) => {
    await take(visitor, '/console/sessions', `sessions-${theme}`);
    await take(visitor, `/console/sessions/${sessionId}`, `session-${theme}`);
    await takeFields(visitor, `fields-${theme}`);
  });
  // After the other pictures, because these sessions would fill the list.
  const assistantId = await answerForDays(visitor);
  await inBothThemes(visitor, (theme) => takeResults(visitor, assistantId, `results-${theme}`));
  await visitor.close();
} finally {
  await closeBrowser();
  await receiver.stop();
  await running.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);

async function inBothThemes(
  { page }: LoggedInPage,
  takeAll: (theme: 'light' | 'dark') => Promise<void>,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await takeAll(colorScheme);
  }
}

async function add({ token }: LoggedInPage, fields: object): Promise<string> {
  const system_prompt = 'Summarize the call. What was promised, and by when?';
  const body = { type: 'text', llm_provider: 'openai', system_prompt, ...fields };
  return (await send(service, createAssistant, { token, body })).body.id;
}

/** Submits conversations: some complete, one fails, and one waits for its webhook receiver. Returns the ID of a voice session. */
async function fill(visitor: LoggedInPage): Promise<string> {
  const { token } = visitor;
  const conversation: unknown = JSON.parse(readFileSync(WRITTEN, 'utf8'));
  const submit = (assistant_id: string, turns: unknown = conversation) =>
    send(service, submitTextRequest, { token, body: { assistant_id, conversation: turns } });
  const review = await add(visitor, { name: 'Support call review', webhook_url: receiver.url });
  await submit(review);
  await submit(await add(visitor, { name: 'Complaints to the CRM', webhook_url: 'http://127.0.0.1:65001/hook' }));
  await submit(review, [{ role: 'client', text: 'Hello? [provider status=401]' }]);
  await submit(review);
  const { id: assistantId } = await addVoiceAssistant(service, token, {
    name: 'Recorded calls',
    stt_provider: 'elevenlabs',
    webhook_url: 'http://127.0.0.1:65001/hook',
    fields: FIELDS,
  });
  return (await submitVoice(service, { token, assistantId })).session_id;
}

/** Creates an assistant with sessions of the last weeks and their field values, without provider calls. Returns its ID. */
async function answerForDays(visitor: LoggedInPage): Promise<string> {
  const assistantId = await add(visitor, { name: 'Support calls', fields: COUNTED });
  const assistant = await AssistantModel.query().findById(assistantId).throwIfNotFound();
  for (let count = 0; count < ANSWERED; count++) {
    const created_at = new Date(Date.now() - ((count * 5) % DAYS) * DAY_MS);
    const score = SCORES[count % SCORES.length] ?? null;
    const reason = REASONS[[0, 1, 0, 1, 1, 2, 1][count % 7] ?? 0] ?? null;
    const fields = { id: sessionIdAt(created_at), created_at, unverified: count % 8 === 5 ? ['score'] : [] };
    await createAnswered(assistant, { reason, score }, fields);
  }
  return assistantId;
}

/** Takes the picture of the results page. */
async function takeResults({ page }: LoggedInPage, assistantId: string, name: string): Promise<void> {
  await page.goto(`/console/assistants/${assistantId}/results?range=30d`);
  await expectLocator(page.getByRole('region', { name: 'Sessions and field values' })).toBeVisible();
  await shoot(page, name);
}

/** Takes the picture of a session with the quotes of a value. */
async function takeFields({ page }: LoggedInPage, name: string): Promise<void> {
  await page
    .getByRole('button', { name: /^I ordered a coffee machine/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.evaluate("document.querySelector('nav[aria-label=Session]').scrollIntoView()");
  await shoot(page, name);
}

async function take({ page }: LoggedInPage, path: string, name: string): Promise<void> {
  await page.goto(path);
  await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined); // the stream of events stays open
  await shoot(page, name);
}

async function shoot(page: LoggedInPage['page'], name: string): Promise<void> {
  await page.screenshot({ path: new URL(`${name}.png`, PICTURES).pathname });
  say(`docs/pictures/${name}.png`);
}
