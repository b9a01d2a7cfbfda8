import { expect } from 'chai';
import { AssistantModel } from '../../db/models/assistant.ts';
import { eachPage } from '../../db/page.ts';
import { createAssistant, createUser } from '../support/factories.ts';

async function ownerOf(count: number): Promise<{ workspaceId: string; ids: string[] }> {
  const { user } = await createUser();
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.unshift((await createAssistant(user.default_workspace_id)).id);
  return { workspaceId: user.default_workspace_id, ids };
}

async function pagesOf(workspaceId: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  const find = eachPage((page) => AssistantModel.findOwnedPage(workspaceId, page), { limit });
  for await (const rows of find) pages.push(rows.map(({ id }) => id));
  return pages;
}

describe('A page of rows', () => {
  it('has a cursor to the next page, newest first; the last page has none, even if it is full', async () => {
    const { workspaceId, ids } = await ownerOf(4);
    await ownerOf(1);
    expect(await pagesOf(workspaceId, 3)).to.deep.equal([ids.slice(0, 3), ids.slice(3)]);
    expect(await pagesOf(workspaceId, 2)).to.deep.equal([ids.slice(0, 2), ids.slice(2)]);
    expect(await pagesOf(workspaceId, 4)).to.deep.equal([ids]);
    expect(await pagesOf((await ownerOf(0)).workspaceId, 2)).to.deep.equal([[]]);
  });

  it('never contains rows of another owner, with any cursor', async () => {
    const [mine, other] = await Promise.all([ownerOf(2), ownerOf(2)]);
    const cursors = [other.ids[0]!, '', '~~~', 'AAAA', '%00', 'ü🙂', "' or 1=1 --", '_'.repeat(5_000)];
    for (const cursor of cursors) {
      const { rows } = await AssistantModel.findOwnedPage(mine.workspaceId, { limit: 10, cursor });
      for (const row of rows) expect(row.workspace_id).to.equal(mine.workspaceId);
    }
  });
});
