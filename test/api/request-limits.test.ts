import { expect } from 'chai';
import { deleteAssistant } from '../../contract/assistants.ts';
import { MAX_TEXT_REQUEST_BYTES, submitTextRequest } from '../../contract/requests.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send, sendRaw } from '../support/api.ts';
import { createAssistant, createOwner, createUser } from '../support/factories.ts';
import { useSharedService } from '../support/shared-service.ts';

const NOBODYS = 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7';
const turn = (fields: object = {}) => ({ role: 'client', text: 'Hello.', ...fields });
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

describe('POST /v1/requests/text: what is taken and what is not', () => {
  const service = useSharedService();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const submit = (body: object = {}) =>
    send(service.api, submitTextRequest, {
      token,
      body: { assistant_id: assistant.id, conversation: [turn()], ...body },
    });

  /** The paths that a 422 names; nothing of what was refused is stored. */
  async function pathsRefused(body: object): Promise<string[]> {
    const { problem } = await submit(body);
    expect(problem).to.include({ status: 422, code: 'validation_failed' });
    expect(await SessionModel.query().where({ user_id: assistant.user_id })).to.deep.equal([]);
    return problem.errors?.map(({ path }) => path) ?? [];
  }

  describe('the assistant', () => {
    it('§4.4 must be a text assistant', async () => {
      const voice = { type: 'voice', stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' };
      const { id } = await createAssistant(assistant.user_id, voice as Partial<AssistantModel>);
      expect(await pathsRefused({ assistant_id: id })).to.deep.equal(['assistant_id']);
    });

    it("must be there; another user's and a deleted one read like one that never was", async () => {
      const { user } = await createUser();
      const foreign = await createAssistant(user.id);
      const deleted = await createAssistant(assistant.user_id);
      await send(service.api, deleteAssistant, { token, params: { id: deleted.id } });
      const answers = await Promise.all(
        [NOBODYS, foreign.id, deleted.id].map((assistant_id) => submit({ assistant_id })),
      );
      const [missing, ...others] = answers.map(({ problem: { request_id: _, ...rest } }) => rest);
      expect(missing).to.include({ status: 422, code: 'validation_failed' });
      expect(others).to.deep.equal([missing, missing]);
      expect(await SessionModel.query().whereIn('assistant_id', [NOBODYS, foreign.id, deleted.id])).to.deep.equal([]);
    });

    it('must be named in the form of its id', async () => {
      for (const assistant_id of ['', 'x', 7, null, NOBODYS.toUpperCase(), `${NOBODYS}\n`, [NOBODYS]]) {
        expect(await pathsRefused({ assistant_id }), JSON.stringify(assistant_id)).to.deep.equal(['assistant_id']);
      }
    });
  });

  it('names every invalid field at once', async () => {
    const conversation = [
      { role: '', text: 'a' },
      { role: 'client' },
      { role: 1, text: '', extra: true },
      'turn',
      null,
    ];
    const metadata = { a: 1, b: 'x'.repeat(501) };
    const paths = await pathsRefused({ assistant_id: 'x', conversation, metadata, note: 1 });
    expect(paths).to.have.members([
      'note',
      'assistant_id',
      'conversation.0.role',
      'conversation.1.text',
      'conversation.2.role',
      'conversation.2.text',
      'conversation.2.extra',
      'conversation.3',
      'conversation.4',
      'metadata.a',
      'metadata.b',
    ]);
  });

  it('names at most a hundred of them, however many there are', async () => {
    const paths = await pathsRefused({ conversation: Array.from({ length: 5_000 }, () => turn({ text: 1 })) });
    expect(paths).to.have.length(100);
  });

  describe('bounds are inclusive', () => {
    const emoji = '👍'; // two UTF-16 units, one character
    const inside: Record<string, object> = {
      '1 turn': { conversation: [turn()] },
      '5,000 turns': { conversation: Array.from({ length: 5_000 }, () => turn()) },
      'a role of 64 characters': { conversation: [turn({ role: emoji.repeat(64) })] },
      'a text of 100,000 characters': { conversation: [turn({ text: emoji.repeat(100_000) })] },
      '16 pairs of metadata': { metadata: pairs(16) },
      'metadata of 64 and 500 characters': { metadata: { [emoji.repeat(64)]: emoji.repeat(500) } },
      'no pair of metadata': { metadata: {} },
    };
    for (const [what, body] of Object.entries(inside)) {
      it(`takes ${what}`, async () => {
        const answer = await submit(body);
        expect(answer.status).to.equal(200);
        expect(answer.body).to.deep.include(body);
      });
    }

    const outside: Record<string, [object, string[]]> = {
      'no turns': [{ conversation: [] }, ['conversation']],
      'an object as conversation': [{ conversation: { 0: turn() } }, ['conversation']],
      '5,001 turns': [{ conversation: Array.from({ length: 5_001 }, () => turn()) }, ['conversation']],
      'an empty role': [{ conversation: [turn({ role: '' })] }, ['conversation.0.role']],
      'a role of 65 characters': [{ conversation: [turn({ role: 'r'.repeat(65) })] }, ['conversation.0.role']],
      'an empty text': [{ conversation: [turn({ text: '' })] }, ['conversation.0.text']],
      'a text of 100,001 characters': [
        { conversation: [turn({ text: 'x'.repeat(100_001) })] },
        ['conversation.0.text'],
      ],
      '17 pairs of metadata': [{ metadata: pairs(17) }, ['metadata']],
      'a value of 501 characters': [{ metadata: { k: 'x'.repeat(501) } }, ['metadata.k']],
      'a value that is no text': [{ metadata: { k: 1, l: null, m: {} } }, ['metadata.k', 'metadata.l', 'metadata.m']],
      'metadata that is no object': [{ metadata: ['k'] }, ['metadata']],
      'metadata of null': [{ metadata: null }, ['metadata']],
    };
    for (const [what, [body, paths]] of Object.entries(outside)) {
      it(`refuses ${what} and stores nothing`, async () => {
        expect(await pathsRefused(body)).to.have.members(paths);
      });
    }

    it('refuses keys of no and of 65 characters', async () => {
      for (const key of ['', 'k'.repeat(65)])
        expect(await pathsRefused({ metadata: { [key]: 'v' } })).to.have.length(1);
    });
  });

  describe('the size of the body', () => {
    /** A valid request of exactly so many bytes. */
    function requestOf(bytes: number): string {
      const conversation = Array.from({ length: 60 }, () => turn({ text: 'x'.repeat(80_000) }));
      const json = JSON.stringify({ assistant_id: assistant.id, conversation });
      return json + ' '.repeat(bytes - json.length);
    }

    const post = (body: string) =>
      sendRaw(service.api, 'POST', '/v1/requests/text', {
        token,
        body,
        headers: { 'Content-Type': 'application/json' },
      });

    it('takes 5 MiB', async () => {
      expect((await post(requestOf(MAX_TEXT_REQUEST_BYTES))).status).to.equal(200);
    });

    it('refuses one byte more with 413 and stores nothing', async () => {
      const { problem } = await post(requestOf(MAX_TEXT_REQUEST_BYTES + 1));
      expect(problem).to.include({ status: 413, code: 'payload_too_large' });
      expect(await SessionModel.query().where({ user_id: assistant.user_id })).to.deep.equal([]);
    });

    it('refuses one byte more with 413 when its length was not told beforehand', async () => {
      const bytes = new TextEncoder().encode(requestOf(MAX_TEXT_REQUEST_BYTES + 1));
      const response = await fetch(`${service.api.url}/api/v1/requests/text`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: new Blob([bytes]).stream(),
        duplex: 'half',
      });
      expect(response.status).to.equal(413);
      expect(await response.json()).to.include({ code: 'payload_too_large' });
    });
  });
});
