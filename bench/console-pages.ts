/**
 * How soon the console's pages can be used: `node bench/console-pages.ts`, after `npm run build:console`. The lists of a
 * user with 100,000 sessions, and the page of a session with 5,000 turns. Each time is counted from the beginning of the
 * navigation, scripts and styles from the browser's cache, until the rows are drawn.
 */
import pg from 'pg';
import { startTestApi } from '../test/support/api.ts';
import { closeBrowser } from '../test/support/browser.ts';
import { timeNavigation, visit } from '../test/support/console.ts';
import { startTestDatabase, testDatabase } from '../test/support/database.ts';
import { createAssistant, createSession } from '../test/support/factories.ts';
import { startRun } from '../test/support/run.ts';
import { fillSessions } from './fill-sessions.ts';

const SESSIONS = 100_000;
const TURNS = 5_000;
const ROUNDS = 11;

const run = startRun();
await startTestDatabase();
const api = await startTestApi();
const { page, user, close } = await visit(api);
const client = new pg.Client({ connectionString: testDatabase().url });
await client.connect();
await fillSessions(client, { users: [user.id], perUser: SESSIONS, newest: Date.now() });
await client.end();
const assistant = await createAssistant(user.id, { webhook_url: 'http://127.0.0.1:9/' });
const ended = { status: 'completed', summary_text: 'The client asked where the parcel is.', completed_at: new Date() };
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
    `document.querySelectorAll('[aria-label="Transcript"] [role=listitem]').length === ${TURNS}`,
  ],
];
console.log('| Page | median ms | slowest ms |\n|---|---|---|');
for (const [name, path, isDrawn] of PAGES) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timeNavigation(page, path, isDrawn));
  times.sort((a, b) => a - b);
  console.log(`| ${name} | ${times[ROUNDS >> 1]?.toFixed(0)} | ${times.at(-1)?.toFixed(0)} |`);
}
await close();
await closeBrowser();
await api.stop();
await run.stop();
process.exit(0);
