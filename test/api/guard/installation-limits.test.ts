import { expect } from 'chai';
import { register, updateCurrentUser } from '../../../contract/account/account.ts';
import { restoreAssistantVersion } from '../../../contract/assistants/assistants.ts';
import { createAssistant, duplicateAssistant, updateAssistant } from '../../../contract/assistants/assistants.ts';
import { createBatch } from '../../../contract/sessions/batches.ts';
import { reanalyzeSession } from '../../../contract/sessions/session-operations.ts';
import { send } from '../../support/api.ts';
import * as factories from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('The limits of an installation', () => {
  const env = {
    DEFAULT_MONTHLY_BUDGET_USD: '5',
    MAX_MONTHLY_BUDGET_USD: '10',
    ALLOWED_MODELS: 'openai/gpt-6-luna, whisper/*',
  };
  const api = useTestApi({ env });

  it('set the budget of new accounts, and bound what users may raise it to', async () => {
    const account = { email: `${crypto.randomUUID()}@example.com`, password: factories.PASSWORD, name: 'Ada' };
    expect((await send(api, register, { body: account })).body.user.monthly_budget_usd).to.equal(5);
    const { token } = await factories.createUser();
    const set = (monthly_budget_usd: unknown) => send(api, updateCurrentUser, { token, body: { monthly_budget_usd } });
    for (const fine of [0, 10]) expect((await set(fine)).body.monthly_budget_usd).to.equal(fine);
    for (const bad of [10.01, null]) {
      const { code, errors } = (await set(bad)).problem;
      expect(code).to.equal('validation_failed');
      expect(errors?.[0]?.path).to.equal('monthly_budget_usd');
      expect(errors?.[0]?.message).to.include('MAX_MONTHLY_BUDGET_USD');
    }
    expect((await send(api, updateCurrentUser, { token, body: { name: 'B' } })).body.monthly_budget_usd).to.equal(10);
  });

  it('refuse models that are not allowed, wherever they are set', async () => {
    const { workspaceId, token } = await factories.createUser();
    const make = (fields: object) =>
      send(api, createAssistant, { token, body: { ...factories.TEXT_SETTINGS, ...fields } });
    const { id } = (await make({})).body;
    expect((await make({ type: 'voice', stt_provider: 'whisper', stt_model: 'any' })).status).to.equal(201);
    const old = await factories.createAssistant(workspaceId, { llm_model: 'gpt-6.1-sol' });
    const session = await factories.createSession(await factories.createAssistant(workspaceId), {
      status: 'completed',
    });
    const patch = (of: string, body: object) => send(api, updateAssistant, { token, params: { id: of }, body });
    const batch = (of: string, body: object) =>
      send(api, createBatch, { token, body: { action: 'reanalyze', filter: { assistant_id: of }, ...body } });
    const mended = await factories.createAssistant(workspaceId, { llm_model: 'gpt-6.1-sol' });
    expect((await patch(mended.id, { llm_model: 'gpt-6-luna' })).body.version).to.equal(2);
    const reanalysis = { token, params: { id: session.id }, body: { llm_model: 'x' } };
    const restore = { token, params: { id: mended.id, version: '1' } };
    const fallback = { llm_provider: 'anthropic' };
    for (const [path, answer] of [
      ['fallback.llm_model', await make({ fallback })],
      ['fallback.llm_model', await patch(id, { fallback })],
      ['overrides.llm_model', await batch(id, { overrides: { llm_model: 'x' } })],
      ['version.llm_model', await batch(mended.id, { version: 1 })],
      ['llm_model', await send(api, restoreAssistantVersion, restore)],
      ['llm_model', await make({ llm_model: 'gpt-6.1-sol' })],
      ['llm_model', await make({ llm_provider: 'anthropic' })],
      ['stt_model', await make({ type: 'voice', stt_provider: 'aisha' })],
      ['llm_model', await patch(id, { llm_model: 'x' })],
      ['llm_model', await send(api, duplicateAssistant, { token, params: { id: old.id } })],
      ['llm_model', await send(api, reanalyzeSession, reanalysis)],
    ] as const) {
      expect([answer.status, answer.paths[0]]).to.deep.equal([422, path]);
      expect(answer.problem.errors?.[0]?.message).to.include('ALLOWED_MODELS');
    }
  });
});
