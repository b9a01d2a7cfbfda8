/**
 * How soon the console's pages can be used: `node bench/console-pages.ts`, after `npm run build:console`. The lists of a
 * user with 100,000 sessions, and the page of a session with 5,000 turns. Each time is counted from the beginning of the
 * navigation, scripts and styles from the browser's cache, until the rows are drawn.
 */
import pg from 'pg';
import { typeid } from 'typeid-js';
import { getCurrentUser } from '../contract/account.ts';
import { send, startTestApi } from '../test/support/api.ts';
import { awaitFrame, closeBrowser } from '../test/support/browser.ts';
import { visit } from '../test/support/console.ts';
import { startTestDatabase, testDatabase } from '../test/support/database.ts';
import { createAssistant, createSession } from '../test/support/factories.ts';
import { startRun } from '../test/support/run.ts';

const SESSIONS = 100_000;
const TURNS = 5_000;
const ROUNDS = 11;

const run = startRun();
await startTestDatabase();
const api = await startTestApi();
const { page, token, close } = await visit(api);
const { body: user } = await send(api, getCurrentUser, { token });
const assistant = await createAssistant(user.id, { webhook_url: 'http://127.0.0.1:9/' });
const ended = { status: 'completed', summary_text: 'The client asked where the parcel is.', completed_at: new Date() };
const first = await createSession(assistant, ended as object);
await fill(first.id);
const long = await createSession(assistant, {
  ...(ended as object),
  conversation: Array.from({ length: TURNS }, (_, turn) => ({
    role: turn % 2 ? 'client' : 'operator',
    text: `Turn ${turn}: my parcel has not arrived, it was promised for Monday, and nobody could tell me where it is.`,
  })),
});

const ROWS = `document.querySelectorAll('tbody tr').length >= 50`;
const PAGES: [name: string, path: string, isDrawn: string][] = [
  ['Sessions', '/console/sessions', ROWS],
  ['Sessions, `status=failed` (4 %)', '/console/sessions?status=failed', ROWS],
  ['Sessions, `q=parcel` (all)', '/console/sessions?q=parcel', ROWS],
  ['Deliveries', '/console/deliveries', ROWS],
  [
    'Overview',
    '/console/',
    `document.querySelectorAll('h2').length > 1 && !document.querySelector('[role=status][aria-label]')`,
  ],
  [
    `A session of ${TURNS} turns`,
    `/console/sessions/${long.id}`,
    `document.querySelectorAll('ol[aria-label="Transcript"] > li').length === ${TURNS}`,
  ],
];
console.log('| Page | median ms | slowest ms |\n|---|---|---|');
for (const [name, path, isDrawn] of PAGES) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await open(path, isDrawn));
  times.sort((a, b) => a - b);
  console.log(`| ${name} | ${times[ROUNDS >> 1]?.toFixed(0)} | ${times.at(-1)?.toFixed(0)} |`);
}
await close();
await closeBrowser();
await api.stop();
await run.stop();
process.exit(0);

/** Returns the milliseconds until the frame in which the condition holds. */
async function open(path: string, isDrawn: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(new URL(path, api.url).href, { waitUntil: 'commit' });
  return awaitFrame(page, isDrawn);
}

/** Makes sessions over the past year, each with its delivery, from one that is there. */
async function fill(templateId: string): Promise<void> {
  const ids = Array.from({ length: SESSIONS }, () => typeid('sess').toString());
  const client = new pg.Client({ connectionString: testDatabase().url });
  await client.connect();
  // What triggers do would take minutes; nobody listens yet.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into sessions (id, user_id, assistant_id, type, status, assistant, conversation, metadata, simulated,
       summary_text, raw_response, created_at, queued_at, completed_at)
     select made.id, user_id, assistant_id, type, case when n % 25 = 7 then 'failed' else 'completed' end, assistant,
       conversation, metadata, simulated, summary_text, raw_response, at, at, at + interval '4 s'
     from sessions, unnest($1::text[]) with ordinality made (id, n),
       lateral (select now() - ($2::integer - n) * interval '5 minutes' as at) times
     where sessions.id = $3`,
    [ids, SESSIONS, templateId],
  );
  await client.query(
    `insert into session_words
     select id, array_to_tsvector(array[user_id]) || to_tsvector('simple', summary_text) from sessions
     on conflict do nothing`,
  );
  await client.query(
    `insert into deliveries (id, user_id, session_id, assistant_id, workflow_id, event, payload, status, created_at, ended_at)
     select 'dlv_' || substr(id, 6), user_id, id, assistant_id, id, 'session.completed', '{}', 'delivered', created_at,
       completed_at
     from sessions where status = 'completed'`,
  );
  await client.query('vacuum analyze');
  await client.end();
}
