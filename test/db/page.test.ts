import { expect } from 'chai';
import { AssistantModel } from '../../db/models/assistant.ts';
import { eachPage } from '../../db/page.ts';
import { createAssistant, createUser } from '../support/factories.ts';

async function ownerOf(count: number): Promise<{ userId: string; ids: string[] }> {
  const { user } = await createUser();
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.unshift((await createAssistant(user.id)).id);
  return { userId: user.id, ids };
}

async function pagesOf(userId: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await AssistantModel.findOwnedPage(userId, { limit, cursor });
    pages.push(page.rows.map(({ id }) => id));
    if (page.next_cursor === null) return pages;
    cursor = page.next_cursor;
  }
}

describe('A page of rows', () => {
  it('is followed by every other of the owner, newest first', async () => {
    const { userId, ids } = await ownerOf(3);
    await ownerOf(1);
    const pages = eachPage((page) => AssistantModel.findOwnedPage(userId, page), { limit: 2 });
    const found: string[][] = [];
    for await (const rows of pages) found.push(rows.map(({ id }) => id));
    expect(found).to.deep.equal([ids.slice(0, 2), ids.slice(2)]);
  });

  it('of none is empty', async () => {
    const { userId } = await ownerOf(0);
    expect(await pagesOf(userId, 2)).to.deep.equal([[]]);
  });

  it('leads to the next, and the last one to none, also when it is full', async () => {
    const { userId, ids } = await ownerOf(4);
    expect(await pagesOf(userId, 3)).to.deep.equal([ids.slice(0, 3), ids.slice(3)]);
    expect(await pagesOf(userId, 2)).to.deep.equal([ids.slice(0, 2), ids.slice(2)]);
    expect(await pagesOf(userId, 4)).to.deep.equal([ids]);
  });

  it('is not shifted by rows that are added or removed meanwhile', async () => {
    const { userId, ids } = await ownerOf(4);
    const first = await AssistantModel.findOwnedPage(userId, { limit: 2 });
    await createAssistant(userId);
    await AssistantModel.deleteOwned(userId, ids[1]!);
    const second = await AssistantModel.findOwnedPage(userId, { limit: 2, cursor: first.next_cursor! });
    expect(second.rows.map(({ id }) => id)).to.deep.equal(ids.slice(2));
  });

  it("never holds another owner's rows, whatever the cursor", async () => {
    const [mine, other] = await Promise.all([ownerOf(2), ownerOf(2)]);
    const cursors = [other.ids[0]!, ...['', '~~~', 'AAAA', '%00', 'ü🙂', "' or 1=1 --", '_'.repeat(5_000)]];
    for (const cursor of cursors) {
      const { rows } = await AssistantModel.findOwnedPage(mine.userId, { limit: 10, cursor });
      for (const row of rows) expect(row.user_id).to.equal(mine.userId);
    }
  });
});
