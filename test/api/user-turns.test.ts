import { expect } from 'chai';
import { setImmediate as settled } from 'node:timers/promises';
import { getCurrentUser } from '../../contract/account.ts';
import { listAssistants } from '../../contract/assistants.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { send } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const AT_ONCE = 10;
const SMALL = [{ role: 'client', text: 'My parcel has not arrived.' }];
const LARGE = Array.from({ length: 50 }, () => ({ role: 'client', text: 'y'.repeat(99_000) }));

describe('The turns of users', () => {
  const api = useTestApi();
  let token: string;
  let assistant_id: string;
  afterEach(() => testDatabase().db.removeAllListeners('query'));
  beforeEach(async () => {
    const { user, ...created } = await createUser();
    token = created.token;
    assistant_id = (await createAssistant(user.id)).id;
  });

  const statusOf = (answer: Promise<{ status: number }>) => answer.then(({ status }) => status);
  const isDone = (answer: Promise<unknown>) => Promise.race([answer.then(() => true), settled(false)]);
  const readUser = (as = token) => statusOf(send(api, getCurrentUser, { token: as }));

  /** Returns what counts the queries for assistants from now on. */
  function countQueries(): () => number {
    let count = 0;
    testDatabase().db.on('query', ({ sql }: { sql: string }) => (count += sql.includes('from "assistants"') ? 1 : 0));
    return () => count;
  }

  /** Runs `act` while every request that reads assistants hangs. */
  async function whileLocked(act: () => Promise<void>): Promise<void> {
    await testDatabase().db.transaction(async (trx) => {
      await trx.raw('lock table assistants in access exclusive mode');
      await act();
    });
  }

  const hanging = {
    'ten requests': () => Array.from({ length: AT_ONCE }, () => statusOf(send(api, listAssistants, { token }))),
    'one request of megabytes': () => [
      statusOf(
        send(api, submitTextRequest, {
          ...{ token, body: { assistant_id, conversation: LARGE } },
          headers: { prefer: 'respond-async' },
        }),
      ),
    ],
  };

  for (const [name, begin] of Object.entries(hanging)) {
    it(`are taken by ${name} that hang: the next of that user waits for them, and nobody else does`, async () => {
      const other = await createUser();
      let waiting: Promise<number> | undefined;
      let begun: Promise<number>[] = [];
      await whileLocked(async () => {
        const hung = countQueries();
        begun = begin();
        await eventually(hung, (count) => count === begun.length);
        waiting = readUser();
        for (let i = 0; i < 3; i++) expect(await readUser(other.token)).to.equal(200);
        expect(await isDone(waiting)).to.equal(false);
      });
      expect(await waiting).to.equal(200);
      for (const status of await Promise.all(begun)) expect(status).to.be.lessThan(300);
    });
  }

  it('are not taken by those who wait for a result', async () => {
    const gone = new AbortController();
    const submit = () =>
      send(api, submitTextRequest, { token, body: { assistant_id, conversation: SMALL }, signal: gone.signal });
    const waiting = Array.from({ length: 2 * AT_ONCE }, () => submit().catch(() => undefined));
    expect(await readUser()).to.equal(200);
    gone.abort();
    await Promise.all(waiting);
  });
});
