/**
 * A user who wants little, in a thread of its own, so that what the greedy one costs the bench itself is not measured:
 * on any message it goes on asking until the next one, and answers how long each call took.
 */
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { openAccount } from './account.ts';

/** Milliseconds of each call. */
export interface Took {
  sessions: number[];
  lists: number[];
}

const WARM_UP = 50;

const { client, addAssistant } = await openAccount((workerData as { apiUrl: string }).apiUrl, 'other');
const assistant_id = await addAssistant({ type: 'text' });
const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];

async function timed(call: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call;
  return performance.now() - started;
}

async function ask(): Promise<{ session: number; list: number }> {
  const body = { assistant_id, conversation };
  return {
    session: await timed(client.call('analyze', 'POST', '/v1/requests/text', body)),
    list: await timed(client.call('list assistants', 'GET', '/v1/assistants')),
  };
}

for (let i = 0; i < WARM_UP; i++) await ask();

let isAsking = false;
parentPort?.on('message', () => {
  isAsking = !isAsking;
  if (!isAsking) return;
  void (async () => {
    const took: Took = { sessions: [], lists: [] };
    while (isAsking) {
      const { session, list } = await ask();
      took.sessions.push(session);
      took.lists.push(list);
    }
    parentPort?.postMessage(took);
  })();
});
parentPort?.postMessage('ready');
