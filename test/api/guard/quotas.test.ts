import { expect } from 'chai';
import { restoreAssistantVersion } from '../../../contract/assistants/assistants.ts';
import {
  createAssistant,
  deleteAssistant,
  duplicateAssistant,
  listAssistants,
  updateAssistant,
} from '../../../contract/assistants/assistants.ts';
import { createKey, listKeys, revokeKey } from '../../../contract/account/keys.ts';
import { send, type Answer } from '../../support/api.ts';
import { createUser, TEXT_SETTINGS } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

/** Limits of two. The test's own token counts as one of the tokens. */
const QUOTAS = { assistants: 2, assistantBytes: 1_000, apiKeys: 2 };

describe('Quotas of a user', () => {
  const api = useTestApi({ adjust: ({ quotas }) => Object.assign(quotas, QUOTAS) });
  let token: string;
  beforeEach(async () => {
    token = (await createUser()).token;
  });

  const create = () => send(api, createAssistant, { token, body: TEXT_SETTINGS });
  const statuses = (answers: Answer<unknown>[]) => answers.map(({ status }) => status).sort();

  it('Assistants: the limit holds for concurrent creations and copies, per user, until one is deleted', async () => {
    const first = (await create()).body;
    const copy = () => send(api, duplicateAssistant, { token, params: { id: first.id } });
    const answers = await Promise.all([create(), copy(), create(), copy()]);
    expect(statuses(answers)).to.deep.equal([201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.problem).to.include({ code: 'quota_exceeded' });
    expect(refused?.problem.detail).to.contain('2 assistants');
    expect((await send(api, listAssistants, { token })).body.data).to.have.length(2);
    const other = { token: (await createUser()).token, body: TEXT_SETTINGS };
    expect((await send(api, createAssistant, other)).status, 'another user').to.equal(201);
    await send(api, deleteAssistant, { token, params: { id: first.id } });
    expect((await create()).status).to.equal(201);
  });

  it('API tokens: the limit holds for concurrent creations, until one is revoked', async () => {
    const issue = () => send(api, createKey, { token, body: { name: 'k' } });
    const before = (await send(api, listKeys, { token })).body.data.length;
    const answers = await Promise.all([issue(), issue(), issue()]);
    expect(answers.filter(({ status }) => status === 201)).to.have.length(2 - before);
    expect(answers.find(({ status }) => status === 409)?.problem).to.include({ code: 'quota_exceeded' });
    const { data } = (await send(api, listKeys, { token })).body;
    expect(data).to.have.length(2);
    const made = answers.find(({ status }) => status === 201)?.body as { key_id: string };
    await send(api, revokeKey, { token, params: { key_id: made.key_id } });
    expect((await issue()).status).to.equal(201);
  });

  it('Bytes of prompts and fields: the limit holds for new, copied, changed and restored assistants', async () => {
    const body = { ...TEXT_SETTINGS, system_prompt: 'x'.repeat(600) };
    const { id, version } = (await send(api, createAssistant, { token, body })).body;
    const change = (system_prompt: string) =>
      send(api, updateAssistant, { token, params: { id }, body: { system_prompt } });
    const restore = () => send(api, restoreAssistantVersion, { token, params: { id, version: String(version) } });
    const copy = () => send(api, duplicateAssistant, { token, params: { id } });
    expect((await copy()).problem.detail).to.contain('prompts and fields');
    expect((await change('x'.repeat(1_001))).problem).to.include({ status: 409, code: 'quota_exceeded' });
    const fields = [{ name: 'a', type: 'string', description: 'x'.repeat(450) }];
    expect((await send(api, updateAssistant, { token, params: { id }, body: { fields } })).status).to.equal(409);
    expect((await send(api, listAssistants, { token })).body.data).to.have.length(1);
    expect((await change('short')).status).to.equal(200);
    const other = (await send(api, createAssistant, { token, body: { ...body, system_prompt: 'y'.repeat(900) } })).body;
    expect((await restore()).problem.code).to.equal('quota_exceeded');
    await send(api, deleteAssistant, { token, params: { id: other.id } });
    expect((await restore()).status).to.equal(200);
  });
});
