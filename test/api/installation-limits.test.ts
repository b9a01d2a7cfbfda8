import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import { register, updateCurrentUser } from '../../contract/account.ts';
import { restoreAssistantVersion } from '../../contract/assistant-versions.ts';
import { createAssistant, duplicateAssistant, updateAssistant } from '../../contract/assistants.ts';
import { createBatch } from '../../contract/batches.ts';
import { reanalyzeSession } from '../../contract/session-operations.ts';
import { send, startTestApi } from '../support/api.ts';
import * as factories from '../support/factories.ts';

describe('The limits of an installation', () => {
  let api: RunningApi;
  before(async function () {
    this.timeout(0);
    const env = {
      DEFAULT_MONTHLY_BUDGET_USD: '5',
      MAX_MONTHLY_BUDGET_USD: '10',
      ALLOWED_MODELS: 'openai/gpt-6-luna, whisper/*',
    };
    api = await startTestApi({ env });
  });
  after(() => api.stop());

  const account = () => ({ email: `${crypto.randomUUID()}@example.com`, password: factories.PASSWORD, name: 'Ada' });

  it('give a new account the default budget', async () => {
    expect((await send(api, register, { body: account() })).body.user.monthly_budget_usd).to.equal(5);
  });

  it('let a user lower the budget and not raise it above the bound, nor take it away', async () => {
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

  it('refuse a model that is not allowed, wherever it is chosen', async () => {
    const { user, token } = await factories.createUser();
    const base = { name: 'a', type: 'text', llm_provider: 'openai', system_prompt: 'p' };
    const make = (fields: object) => send(api, createAssistant, { token, body: { ...base, ...fields } });
    const { id } = (await make({})).body;
    expect((await make({ type: 'voice', stt_provider: 'whisper', stt_model: 'any' })).status).to.equal(201);
    const old = await factories.createAssistant(user.id, { llm_model: 'gpt-6.1-sol' });
    const session = await factories.createSession(await factories.createAssistant(user.id), { status: 'completed' });
    const patch = (of: string, body: object) => send(api, updateAssistant, { token, params: { id: of }, body });
    const batch = (of: string, body: object) =>
      send(api, createBatch, { token, body: { action: 'reanalyze', filter: { assistant_id: of }, ...body } });
    const mended = await factories.createAssistant(user.id, { llm_model: 'gpt-6.1-sol' });
    expect((await patch(mended.id, { llm_model: 'gpt-6-luna' })).body.version).to.equal(2);
    const refused = [
      { path: 'fallback.llm_model', answer: await make({ fallback: { llm_provider: 'anthropic' } }) },
      { path: 'fallback.llm_model', answer: await patch(id, { fallback: { llm_provider: 'anthropic' } }) },
      { path: 'overrides.llm_model', answer: await batch(id, { overrides: { llm_model: 'x' } }) },
      { path: 'version.llm_model', answer: await batch(mended.id, { version: 1 }) },
      {
        path: 'llm_model',
        answer: await send(api, restoreAssistantVersion, { token, params: { id: mended.id, version: '1' } }),
      },
      { path: 'llm_model', answer: await make({ llm_model: 'gpt-6.1-sol' }) },
      { path: 'llm_model', answer: await make({ llm_provider: 'anthropic' }) },
      { path: 'stt_model', answer: await make({ type: 'voice', stt_provider: 'aisha' }) },
      { path: 'llm_model', answer: await patch(id, { llm_model: 'x' }) },
      { path: 'llm_model', answer: await send(api, duplicateAssistant, { token, params: { id: old.id } }) },
      {
        path: 'llm_model',
        answer: await send(api, reanalyzeSession, { token, params: { id: session.id }, body: { llm_model: 'x' } }),
      },
    ];
    for (const { path, answer } of refused) {
      expect(answer.status).to.equal(422);
      expect(answer.problem.errors?.[0]?.path).to.equal(path);
      expect(answer.problem.errors?.[0]?.message).to.include('ALLOWED_MODELS');
    }
  });
});
