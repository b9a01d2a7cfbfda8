import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { answerWithList } from '../../api/answers/answer-with-list.ts';
import { listAssistants } from '../../contract/assistants.ts';
import { listSessionDeliveries } from '../../contract/deliveries.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { PageRequest } from '../../db/page.ts';
import { send } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { createAssistant, createDelivery, createSession, createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

describe('A list of what may be large', () => {
  const api = useTestApi();

  it('has every row once, newest first, however many pages they are read in', async () => {
    const { user, token } = await createUser();
    const ids: string[] = [];
    for (let index = 0; index < 60; index++) ids.unshift((await createAssistant(user.id)).id);
    const idsOf = async (query: Record<string, string>) => {
      const { data, next_cursor } = (await send(api, listAssistants, { token, query })).body;
      expect(next_cursor).to.equal(null);
      return data.map(({ id }) => id);
    };
    expect(await idsOf({})).to.deep.equal(ids);
    expect(await idsOf({ cursor: ids[4] ?? '' })).to.deep.equal(ids.slice(5));
    await AssistantModel.query().delete().where({ user_id: user.id });
    expect(await idsOf({})).to.deep.equal([]);
  });

  for (const limit of [undefined, 200]) {
    it(`is read as it is taken, and never held whole, with a limit of ${limit}`, async () => {
      let reads = 0;
      const find = async () => ({ rows: [(reads += 1)], next_cursor: reads < 100 ? 'next' : null });
      const { parts } = await answerWithList({ limit }, { userId: randomUUID(), find, present: String });
      let taken = 0;
      for await (const { data } of parts) {
        expect([data, reads]).to.deep.equal([[String((taken += 1))], taken]);
        if (taken === 3) break;
      }
    });
  }

  it('is read in smaller steps the larger its rows are, however deep their text lies', async () => {
    const limits: number[] = [];
    const attempts = Array.from({ length: 4 }, () => ({ response_body: 'x'.repeat(16_384) }));
    const find = async ({ limit }: PageRequest) => {
      limits.push(limit);
      return { rows: Array.from({ length: limit }, () => ({ attempts })), next_cursor: 'next' };
    };
    const { parts } = await answerWithList({ limit: 50 }, { userId: randomUUID(), find, present: () => '' });
    let count = 0;
    for await (const { data } of parts) count += data.length;
    expect(count).to.equal(50);
    expect(Math.max(...limits.slice(1))).to.equal(4);
  });

  it("is read on in turns with the user's others, which keeps nobody else waiting", async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let begun = 0;
    const findAll =
      (wait: () => Promise<void>) =>
      async ({ cursor }: PageRequest) => {
        if (cursor === undefined) return { rows: ['a'], next_cursor: 'next' };
        begun += 1;
        await wait();
        return { rows: ['b'], next_cursor: null };
      };
    const take = async (userId: string, wait: () => Promise<void>) => {
      const { parts } = await answerWithList({}, { userId, find: findAll(wait), present: String });
      for await (const { data } of parts) expect(data).to.have.length(1);
    };
    const lists = Array.from({ length: 5 }, () => take('greedy', () => held));
    await take('other', async () => undefined);
    expect(begun).to.equal(2);
    letGo();
    await Promise.all(lists);
    expect(begun).to.equal(6);
  });

  it('has as many rows as a limit says, and leads on to the others', async () => {
    const { user, token } = await createUser();
    const ids: string[] = [];
    for (let index = 0; index < 27; index++) ids.unshift((await createAssistant(user.id)).id);
    for (const limit of [1, 12, 27]) {
      const query = { limit: String(limit) };
      const { data, next_cursor } = (await send(api, listAssistants, { token, query })).body;
      expect(data.map(({ id }) => id)).to.deep.equal(ids.slice(0, limit));
      expect(next_cursor).to.equal(limit < 27 ? ids[limit - 1] : null);
    }
  });

  it("of a session's deliveries comes in pages as well, without what they send", async () => {
    const { user, token } = await createUser();
    const session = await createSession(await createAssistant(user.id));
    const ids: string[] = [];
    for (let index = 0; index < 15; index++) ids.unshift((await createDelivery(session)).id);
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => void statements.push(sql);
    testDatabase().db.on('query', note);
    const list = async (query: Record<string, string>) =>
      (await send(api, listSessionDeliveries, { token, params: { id: session.id }, query })).body;
    const all = await list({});
    testDatabase().db.off('query', note);
    expect([all.data.map(({ delivery_id }) => delivery_id), all.next_cursor]).to.deep.equal([ids, null]);
    expect(statements.filter((sql) => /"payload"|\*/.test(sql) && sql.includes('"deliveries"'))).to.deep.equal([]);
    const page = await list({ limit: '12', cursor: ids[0] ?? '' });
    expect(page.data.map(({ delivery_id }) => delivery_id)).to.deep.equal(ids.slice(1, 13));
    expect(page.next_cursor).to.equal(ids[12]);
  });
});
