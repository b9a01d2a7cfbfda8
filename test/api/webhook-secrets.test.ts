/** To whom an assistant's secret goes, and what is left to do with one that can't be read any more. */
import { expect } from 'chai';
import { createAssistant, duplicateAssistant, updateAssistant } from '../../contract/assistants.ts';
import type { Assistant } from '../../contract/assistants.ts';
import { reanalyzeSession } from '../../contract/session-operations.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { createSecretBox } from '../../runtime/secrets.ts';
import { send, startTestApi, testConfig } from '../support/api.ts';
import { createSession, createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const TEXT = { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.' };
const HOOK = { webhook_url: 'http://127.0.0.1:8080/hook', webhook_secret: 'whsec-old' };

describe('The secret of a webhook', () => {
  const api = useTestApi();
  let token: string;
  beforeEach(async () => {
    token = (await createUser()).token;
  });

  const created = async (fields: object = HOOK): Promise<Assistant> =>
    (await send(api, createAssistant, { token, body: { ...TEXT, ...fields } })).body;
  const patched = async (id: string, body: object) =>
    (await send(api, updateAssistant, { token, params: { id }, body })).body;
  const duplicated = async (id: string) => (await send(api, duplicateAssistant, { token, params: { id } })).body;
  const secretOf = async (id: string) => {
    const { webhook_secret } = await AssistantModel.query().findById(id).throwIfNotFound();
    return webhook_secret && createSecretBox(testConfig().encryptionKeys).open(webhook_secret, id);
  };

  for (const [what, webhook_url] of [
    ['another host', 'http://127.0.0.2:8080/hook'],
    ['another port', 'http://127.0.0.1:8081/hook'],
    ['another scheme', 'https://127.0.0.1:8080/hook'],
    ['none', null],
  ] as const) {
    it(`goes when its webhook moves to ${what}, and the answer says so`, async () => {
      const { id } = await created();
      expect(await patched(id, { webhook_url })).to.include({ has_webhook_secret: false, webhook_url });
      expect(await secretOf(id)).to.equal(null);
      expect(await patched(id, { webhook_url: HOOK.webhook_url })).to.include({ has_webhook_secret: false });
    });
  }

  it('goes with a webhook that comes after it', async () => {
    const { id } = await created({ webhook_secret: 'whsec-old' });
    expect(await patched(id, { webhook_url: HOOK.webhook_url })).to.include({ has_webhook_secret: false });
  });

  it('stays where the origin stays, and with all other changes', async () => {
    const { id } = await created();
    for (const body of [{ webhook_url: 'http://127.0.0.1:8080/other' }, { name: 'x' }, {}, { temperature: 0 }]) {
      expect(await patched(id, body)).to.include({ has_webhook_secret: true });
    }
    expect(await secretOf(id)).to.equal('whsec-old');
  });

  it('is the new one when it is sent along with the new address', async () => {
    const { id } = await created();
    const body = { webhook_url: 'http://127.0.0.2:8080/', webhook_secret: 'whsec-new' };
    expect(await patched(id, body)).to.include({ has_webhook_secret: true });
    expect(await secretOf(id)).to.equal('whsec-new');
  });

  it('goes from a duplicate that moves to another origin', async () => {
    const { id } = await created();
    const copy = await duplicated(id);
    expect(await secretOf(copy.id)).to.equal('whsec-old');
    expect(await patched(copy.id, { webhook_url: 'http://127.0.0.2:8080/' })).to.include({ has_webhook_secret: false });
    expect(await secretOf(id)).to.equal('whsec-old');
  });

  describe('that does not open any more', () => {
    const broken = async () => {
      const assistant = await created();
      const webhook_secret = createSecretBox([Buffer.alloc(32, 9)]).seal('whsec-old', assistant.id);
      await AssistantModel.query().findById(assistant.id).patch({ webhook_secret });
      return { id: assistant.id, webhook_secret };
    };

    it('stands in the way of no change', async () => {
      const { id, webhook_secret } = await broken();
      for (const body of [{ name: 'x' }, { temperature: 0 }, { webhook_url: HOOK.webhook_url }]) {
        expect(await patched(id, body)).to.include({ ...body, has_webhook_secret: true });
      }
      expect(await AssistantModel.query().findById(id)).to.include({ webhook_secret });
    });

    it('is mended by a new one, or cleared', async () => {
      const [one, two] = [await broken(), await broken()];
      expect(await patched(one.id, { webhook_secret: 'whsec-new' })).to.include({ has_webhook_secret: true });
      expect(await secretOf(one.id)).to.equal('whsec-new');
      expect(await patched(two.id, { webhook_secret: null })).to.include({ has_webhook_secret: false });
    });

    it('is left out of a duplicate, which says so', async () => {
      const { id } = await broken();
      expect(await duplicated(id)).to.include({ webhook_url: HOOK.webhook_url, has_webhook_secret: false });
    });

    it('does not keep a conversation from being analyzed anew', async () => {
      const { id } = await broken();
      const session = await createSession(await AssistantModel.query().findById(id).throwIfNotFound(), {
        status: 'completed',
      });
      const answer = await send(api, reanalyzeSession, {
        token,
        params: { id: session.id },
        body: {},
        headers: { Prefer: 'respond-async' },
      });
      expect(answer.status).to.equal(202);
    });
  });

  describe('and a vendor key that the operator removed', () => {
    it('is no reason to refuse a change of something else, nor a duplicate', async () => {
      const { id } = await created({ ...HOOK, llm_provider: 'grok' });
      const bare = await startTestApi({ env: { XAI_API_KEY: '' } });
      try {
        const change = (body: object) => send(bare, updateAssistant, { token, params: { id }, body });
        expect((await change({ name: 'x', llm_provider: 'grok' })).body).to.include({ name: 'x' });
        expect((await send(bare, duplicateAssistant, { token, params: { id } })).status).to.equal(201);
        await change({ llm_provider: 'openai' });
        const { problem } = await change({ llm_provider: 'grok' });
        expect(problem.errors?.map(({ path }) => path)).to.deep.equal(['llm_provider']);
      } finally {
        await bare.stop();
      }
    });
  });
});
