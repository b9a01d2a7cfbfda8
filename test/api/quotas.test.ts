import { expect } from 'chai';
import { createAssistant, deleteAssistant, duplicateAssistant, listAssistants } from '../../contract/assistants.ts';
import { createKey, listKeys, revokeKey } from '../../contract/keys.ts';
import { send } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

/** Two of each: the token that asks is one of the keys. */
const env = { MAX_ASSISTANTS_PER_USER: '2', MAX_API_KEYS_PER_USER: '2' };

const SETTINGS = { name: 'A', type: 'text', llm_provider: 'openai', system_prompt: 'S' };

describe('The quota of a user', () => {
  const api = useTestApi({ env });
  let token: string;
  beforeEach(async () => {
    token = (await createUser()).token;
  });

  const create = () => send(api, createAssistant, { token, body: SETTINGS });
  const statuses = (answers: Answer<unknown>[]) => answers.map(({ status }) => status).sort();

  it('of assistants holds however many are created or copied at once, and frees with what is deleted', async () => {
    const first = (await create()).body;
    const copy = () => send(api, duplicateAssistant, { token, params: { id: first.id } });
    const answers = await Promise.all([create(), copy(), create(), copy()]);
    expect(statuses(answers)).to.deep.equal([201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.problem).to.include({ code: 'quota_exceeded' });
    expect(refused?.problem.detail).to.contain('2 assistants');
    expect((await send(api, listAssistants, { token })).body.data).to.have.length(2);
    await send(api, deleteAssistant, { token, params: { id: first.id } });
    expect((await create()).status).to.equal(201);
  });

  it('of API tokens holds however many are created at once, and frees with what is revoked', async () => {
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

  it("is nobody else's", async () => {
    await create();
    await create();
    token = (await createUser()).token;
    expect((await create()).status).to.equal(201);
  });
});
