/**
 * Whether the memory of the console's tabs stays flat: `node bench/console-memory.ts [minutes]`, after
 * `npm run build:console`. A list and the page of a session are open for 10 minutes while 20 rows a second change; what
 * their scripts hold is measured after a forced collection of garbage.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionModel } from '../db/models/session.ts';
import { startTestApi } from '../test/support/api.ts';
import { closeBrowser, expectLocator } from '../test/support/browser.ts';
import { visit } from '../test/support/console.ts';
import { startTestDatabase, testDatabase } from '../test/support/database.ts';
import { createAssistant, createDelivery, createSession } from '../test/support/factories.ts';
import { startRun } from '../test/support/run.ts';
import { watchMemory } from '../test/support/tab-memory.ts';
import type { TabMemory } from '../test/support/tab-memory.ts';

const MINUTES = Number(process.argv[2] ?? 10);
const CHANGES_PER_S = 20;
const SESSIONS = 100;
/** Of so many changes one is a new session, and one a delivery. */
const CHANGES_PER_NEW = 20;
const CHANGES_PER_DELIVERY = 4;
const WARM_UP_MS = 30_000;

const run = startRun();
await startTestDatabase();
const api = await startTestApi();
const visitor = await visit(api);
const { user } = visitor;
const assistant = await createAssistant(user.id, { webhook_url: 'http://127.0.0.1:9/' });
const sessions: SessionModel[] = [];
for (let made = 0; made < SESSIONS; made++) sessions.push(await createSession(assistant, { status: 'analyzing' }));
const [shown] = sessions;
if (!shown) throw new Error('there are sessions');
const delivery = await createDelivery(shown);

const tabs = [await openTab('/console/sessions'), await openTab(`/console/sessions/${shown.id}`)];
const changing = new AbortController();
const changed = change(changing.signal);
await sleep(WARM_UP_MS);
console.log('| minutes | events | list MB | session MB |\n|---|---|---|---|');
for (let minute = 0; minute <= MINUTES; minute++) {
  if (minute > 0) await sleep(60_000);
  const megabytes = await Promise.all(tabs.map(async (tab) => ((await tab.read()).heapBytes / 1_000_000).toFixed(2)));
  console.log(`| ${[minute, tabs[0]?.events(), ...megabytes].join(' | ')} |`);
}
changing.abort();
await changed;
await visitor.close();
await closeBrowser();
await api.stop();
await run.stop();
process.exit(0);

async function openTab(path: string): Promise<TabMemory> {
  const page = await visitor.page.context().newPage();
  await page.goto(path);
  await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
  return watchMemory(page);
}

async function change(signal: AbortSignal): Promise<void> {
  const started = Date.now();
  const { db } = testDatabase();
  for (let count = 0; !signal.aborted; count++) {
    const session = sessions[count % sessions.length];
    if (count % CHANGES_PER_NEW === 0) await createSession(assistant, { status: 'analyzing' });
    else if (count % CHANGES_PER_DELIVERY === 0) {
      await db('deliveries')
        .where({ id: delivery.id })
        .update({ next_attempt_at: new Date(Date.now() + count) });
    } else {
      const status = db.raw(`case status when 'analyzing' then 'transcribing' else 'analyzing' end`);
      await db('sessions').where({ id: session?.id }).update({ status });
    }
    await sleep(Math.max(0, started + ((count + 1) * 1_000) / CHANGES_PER_S - Date.now()));
  }
}
