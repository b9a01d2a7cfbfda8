import { readConversation } from 'conversation-analysis-client/uploads';
import { MAX_CONVERSATION_CHARACTERS, submitVoiceRequest } from '../../../contract/sessions/requests.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { send } from '../../support/api.ts';
import { createOwner } from '../../support/factories.ts';
import { useSharedService } from '../../support/shared-service.ts';

/** What programs without code send: one text for the dialogue, and empty texts for what they have no value for. */
describe('POST /v1/requests/text by programs without code', () => {
  const service = useSharedService();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const submit = async (body: object, headers: Record<string, string> = {}) =>
    send(service.api, 'submitTextRequest', { token, headers, body: { assistant_id: assistant.id, ...body } });

  const TEXTS = {
    lines: 'operator: Good morning\nclient: My parcel is broken\r\nand late',
    'a chat': '[28/2/2026, 9:30:01] Ann: Hello\n[28/2/2026, 9:31:00] Bob: My card',
    subtitles: 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ann>Hello\n\n00:03.000 --> 00:04.000\n<v Bob>Bye',
    JSON: JSON.stringify([{ role: 'client', text: 'My parcel is broken' }]),
    'a body for the API': JSON.stringify({
      conversation: [{ role: 'client', text: 'My parcel is broken', start_s: 1 }],
    }),
    'text without names': 'My parcel is broken',
    'a mail': 'From: Ann <ann@example.com>\nTo: Bob\nSubject: Card\n\nMy card is lost',
  };
  for (const [name, conversation] of Object.entries(TEXTS)) {
    it(`reads ${name} as files are read`, async () => {
      const { status, body } = await submit({ conversation });
      expect(status).to.equal(200);
      const { turns, format } = readConversation(conversation);
      expect(body.conversation).to.deep.equal(turns);
      const shown = format === 'text' ? 'text' : undefined;
      expect(body.conversation_format).to.equal(shown);
      const params = { id: body.session_id };
      const timeline = (await send(service.api, 'getSessionTimeline', { token, params })).body;
      expect(timeline.conversation_format).to.equal(shown);
    });
  }

  it('refuses a broken cue with the line, and repeats none of its words', async () => {
    const { status, problem } = await submit({ conversation: 'WEBVTT\n\n00:00:01,5 --> soon\nsecret' });
    expect(status).to.equal(422);
    const sentence = 'Line 3 is not the time of a cue.';
    expect(problem.errors).to.deep.equal([
      {
        path: 'conversation',
        message: `can't be read: ${sentence}`,
        code: 'unreadable',
        params: { problem: sentence },
      },
    ]);
  });

  const REFUSED: [name: string, conversation: string, path: string, code: string][] = [
    ['an empty text', '', 'conversation', 'too_few'],
    ['blanks', ' \n ', 'conversation', 'too_few'],
    ['NUL', 'client: a\u0000', 'conversation.0.text', 'characters'],
    ['a long text', 'a\n'.repeat(MAX_CONVERSATION_CHARACTERS / 2 + 1), 'conversation', 'max_characters'],
    ['JSON with a broken turn', '{"conversation":[{"role":"client"}]}', 'conversation.0.text', 'required'],
    ['broken JSON', '[{"role":', 'conversation', 'unreadable'],
    ['too many turns', 'a: b\nc: d\n'.repeat(2_501), 'conversation', 'too_many'],
  ];
  for (const [name, conversation, path, code] of REFUSED) {
    it(`refuses ${name} with the property`, async () => {
      const { status, problem } = await submit({ conversation });
      expect(status).to.equal(422);
      expect(problem.errors?.[0]).to.include({ path, code });
    });
  }

  it('takes the text and its turns for one request', async () => {
    const key = { 'idempotency-key': 'k-1' };
    const first = await submit({ conversation: TEXTS.lines, language: '' }, key);
    const again = await submit({ conversation: readConversation(TEXTS.lines).turns }, key);
    expect(again.body.session_id).to.equal(first.body.session_id);
  });

  it('takes empty texts of optional properties for absent, and numbers and booleans in metadata for text', async () => {
    const conversation = [{ role: 'client', text: 'Hello', start_s: '', end_s: '' }];
    const metadata = { order: 1042, price: 0.5, vip: true, note: '' };
    const { status, body } = await submit({ conversation, language: '', metadata });
    expect(status).to.equal(200);
    expect(body.metadata).to.deep.equal({ order: '1042', price: '0.5', vip: 'true', note: '' });
    expect(body.conversation).to.deep.equal([{ role: 'client', text: 'Hello' }]);
    expect((await submit({ conversation: 'client: Hello', metadata: '' })).body.metadata).to.deep.equal({});
  });

  it('refuses numbers that have lost digits, and empty texts of required properties', async () => {
    for (const id of [9_007_199_254_740_992, 1e300]) {
      const { problem } = await submit({ conversation: 'client: Hello', metadata: { id } });
      expect(problem.errors?.[0]).to.include({ path: 'metadata.id', code: 'type' });
    }
    const { problem } = await submit({ conversation: [{ role: '', text: '' }] });
    expect(problem.errors?.map(({ path }) => path)).to.deep.equal(['conversation.0.role', 'conversation.0.text']);
  });

  it('takes empty texts for absent in a recording by its URL', () => {
    const body = { assistant_id: assistant.id, audio_url: 'https://a.example/b.mp3' };
    const empty = { ...body, file_name: '', audio_headers: '', metadata: '' };
    const absent = { file_name: undefined, audio_headers: undefined, metadata: undefined };
    expect(submitVoiceRequest.body.parse(empty)).to.deep.equal({ ...body, ...absent });
    const form = { assistant_id: assistant.id, metadata: '' };
    expect(submitVoiceRequest.upload.fields.parse(form)).to.deep.equal({ ...form, metadata: undefined });
  });
});
