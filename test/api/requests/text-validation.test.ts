import { MAX_TEXT_REQUEST_BYTES } from '../../../contract/sessions/requests.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send, sendRaw } from '../../support/api.ts';
import { createAssistant, createOwner, createUser, VOICE } from '../../support/factories.ts';
import { useSharedService } from '../../support/shared-service.ts';

const UNKNOWN = 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7';
const turn = (fields: object = {}) => ({ role: 'client', text: 'Hello.', ...fields });
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

describe('POST /v1/requests/text: validation', () => {
  const service = useSharedService();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const submit = (body: object = {}) =>
    send(service.api, 'submitTextRequest', {
      token,
      body: { assistant_id: assistant.id, conversation: [turn()], ...body },
    });

  /** Returns the paths in the 422, and checks that nothing was stored. */
  async function pathsRefused(body: object): Promise<string[]> {
    const { problem } = await submit(body);
    expect(problem).to.include({ status: 422, code: 'validation_failed' });
    expect(await SessionModel.query().where({ workspace_id: assistant.workspace_id })).to.deep.equal([]);
    return problem.errors?.map(({ path }) => path) ?? [];
  }

  it('§4.4 the assistant must be a text assistant of the workspace; those of others and deleted ones look like unknown ones', async () => {
    const voice = await createAssistant(assistant.workspace_id, VOICE);
    expect(await pathsRefused({ assistant_id: voice.id })).to.deep.equal(['assistant_id']);
    for (const assistant_id of ['', 'x', 7, null, UNKNOWN.toUpperCase(), `${UNKNOWN}\n`, [UNKNOWN]]) {
      expect(await pathsRefused({ assistant_id }), JSON.stringify(assistant_id)).to.deep.equal(['assistant_id']);
    }
    const foreign = await createAssistant((await createUser()).workspaceId);
    const deleted = await createAssistant(assistant.workspace_id);
    await send(service.api, 'deleteAssistant', { token, params: { id: deleted.id } });
    const answers = await Promise.all(
      [UNKNOWN, foreign.id, deleted.id].map((assistant_id) => submit({ assistant_id })),
    );
    const [missing, ...others] = answers.map(({ problem: { request_id: _, ...rest } }) => rest);
    expect(missing).to.include({ status: 422, code: 'validation_failed' });
    expect(others).to.deep.equal([missing, missing]);
    expect(await SessionModel.query().whereIn('assistant_id', [UNKNOWN, foreign.id, deleted.id])).to.deep.equal([]);
  });

  it('reports all invalid properties at once, up to a hundred', async () => {
    const invalid = [{ role: '', text: 'a' }, { role: 'client' }, { role: 1, text: '', extra: true }];
    const conversation = [...invalid, 'turn', null];
    const metadata = { a: {}, b: 'x'.repeat(501) };
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
    const many = await pathsRefused({ conversation: Array.from({ length: 5_000 }, () => turn({ text: 1 })) });
    expect(many).to.have.length(100);
  });

  describe('limits are inclusive', () => {
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
    it('accepts values at the limit', async () => {
      for (const [what, body] of Object.entries(inside)) {
        const answer = await submit(body);
        expect(answer.status, what).to.equal(200);
        expect(answer.body, what).to.deep.include(body);
      }
    });

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
      'values that are no text': [{ metadata: { k: [], m: {} } }, ['metadata.k', 'metadata.m']],
      'metadata that is no object': [{ metadata: ['k'] }, ['metadata']],
      'an empty key': [{ metadata: { '': 'v' } }, ['metadata.']],
      'a key of 65 characters': [{ metadata: { ['k'.repeat(65)]: 'v' } }, [`metadata.${'k'.repeat(65)}`]],
    };
    it('refuses values beyond the limit, and stores nothing', async () => {
      for (const [what, [body, paths]] of Object.entries(outside)) {
        expect(await pathsRefused(body), what).to.have.members(paths);
      }
    });
  });

  describe('body size', () => {
    /** Returns a valid request of exactly this many bytes. */
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

    it('accepts 5 MiB, and refuses one byte more with 413', async () => {
      const { problem } = await post(requestOf(MAX_TEXT_REQUEST_BYTES + 1));
      expect(problem).to.include({ status: 413, code: 'payload_too_large' });
      expect(await SessionModel.query().where({ workspace_id: assistant.workspace_id })).to.deep.equal([]);
      expect((await post(requestOf(MAX_TEXT_REQUEST_BYTES))).status).to.equal(200);
    });

    it('refuses a body without a Content-Length too', async () => {
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
