import { expect } from 'chai';
import { answerWithList } from '../../api/answers/answer-with-list.ts';
import type { ListReply } from '../../api/http/handle.ts';
import type { RunningApi } from '../../api/start.ts';
import { listAssistants } from '../../contract/assistants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { send, startTestApi } from '../support/api.ts';
import { createAssistant, createUser } from '../support/factories.ts';

describe('A list of all', () => {
  let api: RunningApi;
  before(async function () {
    this.timeout(0);
    api = await startTestApi();
  });
  after(() => api.stop());

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

  it('is read as it is taken, and never held whole', async () => {
    let pages = 0;
    const find = async () => ({ rows: [(pages += 1)], next_cursor: pages < 100 ? 'next' : null });
    const { pages: taken } = (await answerWithList(find, String, {})) as ListReply<string>;
    const reader = taken[Symbol.asyncIterator]();
    for (let count = 1; count <= 3; count++) expect((await reader.next()).value).to.deep.equal([String(count)]);
    expect(pages).to.equal(3);
  });
});
