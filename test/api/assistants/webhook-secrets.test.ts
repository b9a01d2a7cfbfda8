/** Tests when a webhook_secret is removed, and which operations work if it cannot be decrypted. */
import type { Assistant } from '../../../contract/assistants/assistant-schemas.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { createSecretBox } from '../../../runtime/secrets/secrets.ts';
import { send, testConfig } from '../../support/api.ts';
import { createSession, createUser, TEXT_SETTINGS } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const HOOK = { webhook_url: 'http://127.0.0.1:8080/hook', webhook_secret: 'whsec-old-0123456789' };

describe('webhook_secret', () => {
  const api = useTestApi();
  let token: string;
  beforeEach(async () => {
    token = (await createUser()).token;
  });

  const created = async (fields: object = HOOK): Promise<Assistant> =>
    (await send(api, 'createAssistant', { token, body: { ...TEXT_SETTINGS, ...fields } })).body;
  const patched = async (id: string, body: object) =>
    (await send(api, 'updateAssistant', { token, params: { id }, body })).body;
  const duplicated = async (id: string) => (await send(api, 'duplicateAssistant', { token, params: { id } })).body;
  const secretOf = async (id: string) => {
    const { webhook_secret } = await AssistantModel.query().findById(id).throwIfNotFound();
    return webhook_secret && createSecretBox(testConfig().encryptionKeys).open(webhook_secret, id);
  };

  it('is removed when the webhook URL changes, and the response shows it', async () => {
    for (const webhook_url of [
      'http://127.0.0.2:8080/hook',
      'http://127.0.0.1:8081/hook',
      'https://127.0.0.1:8080/hook',
      'http://127.0.0.1:8080/other',
      'http://127.0.0.1:8080/hook?customer=2',
      null,
    ]) {
      const { id } = await created();
      expect(await patched(id, { webhook_url })).to.include({ has_webhook_secret: false, webhook_url });
      expect(await secretOf(id), String(webhook_url)).to.equal(null);
      expect(await patched(id, { webhook_url: HOOK.webhook_url })).to.include({ has_webhook_secret: false });
    }
    const { id } = await created({ webhook_secret: 'whsec-old-0123456789' });
    const { has_webhook_secret } = await patched(id, { webhook_url: HOOK.webhook_url });
    expect(has_webhook_secret, 'a URL that is added later').to.equal(false);
  });

  it('is kept if the URL stays the same, by all other changes, and if it is sent together with a new URL', async () => {
    const { id } = await created();
    for (const body of [{ webhook_url: HOOK.webhook_url }, { name: 'x' }, {}, { temperature: 0 }]) {
      expect(await patched(id, body)).to.include({ has_webhook_secret: true });
    }
    expect(await secretOf(id)).to.equal('whsec-old-0123456789');
    const both = { webhook_url: 'http://127.0.0.2:8080/', webhook_secret: 'whsec-new-0123456789' };
    expect(await patched(id, both)).to.include({ has_webhook_secret: true });
    expect(await secretOf(id)).to.equal('whsec-new-0123456789');
  });

  it('is removed from a duplicate whose URL changes', async () => {
    const { id } = await created();
    const copy = await duplicated(id);
    expect(await secretOf(copy.id)).to.equal('whsec-old-0123456789');
    expect(await patched(copy.id, { webhook_url: 'http://127.0.0.2:8080/' })).to.include({ has_webhook_secret: false });
    expect(await secretOf(id)).to.equal('whsec-old-0123456789');
  });

  describe('that cannot be decrypted', () => {
    const broken = async () => {
      const assistant = await created();
      const webhook_secret = createSecretBox([Buffer.alloc(32, 9)]).seal('whsec-old-0123456789', assistant.id);
      await AssistantModel.query().findById(assistant.id).patch({ webhook_secret });
      return { id: assistant.id, webhook_secret };
    };

    it('does not prevent changes', async () => {
      const { id, webhook_secret } = await broken();
      for (const body of [{ name: 'x' }, { temperature: 0 }, { webhook_url: HOOK.webhook_url }]) {
        expect(await patched(id, body)).to.include({ ...body, has_webhook_secret: true });
      }
      expect(await AssistantModel.query().findById(id)).to.include({ webhook_secret });
    });

    it('can be replaced and cleared, and is omitted from a duplicate, whose response shows it', async () => {
      const { id } = await broken();
      expect(await duplicated(id)).to.include({ webhook_url: HOOK.webhook_url, has_webhook_secret: false });
      const webhook_secret = 'whsec-new-0123456789';
      expect(await patched(id, { webhook_secret })).to.include({ has_webhook_secret: true });
      expect(await secretOf(id)).to.equal(webhook_secret);
      const { id: other } = await broken();
      expect(await patched(other, { webhook_secret: null })).to.include({ has_webhook_secret: false });
    });

    it('does not prevent reanalyses', async () => {
      const { id } = await broken();
      const session = await createSession(await AssistantModel.query().findById(id).throwIfNotFound(), {
        status: 'completed',
      });
      const answer = await send(api, 'reanalyzeSession', {
        token,
        params: { id: session.id },
        body: {},
        headers: { Prefer: 'respond-async' },
      });
      expect(answer.status).to.equal(202);
    });
  });
});
