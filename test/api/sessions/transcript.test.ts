import { API_BASE } from '../../../contract/values/constants.ts';
import type { Turn } from '../../../contract/sessions/sessions.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { createOwner, createSession } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const TRANSCRIPT = { text: 'Good morning. My parcel…', language: 'en', duration_s: 3_725.5 };

const TIMED: Turn[] = [
  { role: 'speaker 1', text: 'Good morning.', start_s: 0, end_s: 1.25 },
  { role: 'speaker 2', text: 'My parcel\n\nhas not\tarrived.', start_s: 1.25, end_s: 59.9996 },
  { role: 'speaker 1', text: 'Why?', start_s: 3_723.004, end_s: 3_725.5 },
];

describe('GET /v1/sessions/{id}/transcript', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  before(async () => {
    ({ token, assistant } = await createOwner());
  });

  const add = (conversation: Turn[] | null, fields: Partial<SessionModel> = {}) =>
    createSession(assistant, { type: 'voice', transcript: TRANSCRIPT, conversation, ...fields });

  const ask = (id: string, format?: string) =>
    send(api, 'getSessionTranscript', { token, params: { id }, query: format === undefined ? {} : { format } });

  /** Returns the file and its media type. */
  async function download(id: string, format: string): Promise<{ type: string | null; text: string }> {
    const url = `${api.url}${API_BASE}/v1/sessions/${id}/transcript?format=${format}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-disposition')).to.contain(`filename=${id}.${format}`);
    return { type: response.headers.get('content-type'), text: await response.text() };
  }

  it('returns JSON with every turn and its times by default', async () => {
    const { id } = await add(TIMED);
    const expected = { session_id: id, ...TRANSCRIPT, turns: TIMED };
    expect((await ask(id)).body).to.deep.equal(expected);
    expect((await ask(id, 'json')).body).to.deep.equal(expected);
  });

  it('txt is plain text, a line for each turn', async () => {
    const { id } = await add([
      { role: 'operator', text: 'Ağrı, привет 👋' },
      { role: 'client', text: 'Yes.' },
    ]);
    const { type, text } = await download(id, 'txt');
    expect(type).to.equal('text/plain; charset=utf-8');
    expect(text).to.equal('operator: Ağrı, привет 👋\nclient: Yes.\n');
  });

  it('srt is SubRip', async () => {
    const { id } = await add(TIMED);
    const { type, text } = await download(id, 'srt');
    expect(type).to.equal('application/x-subrip; charset=utf-8');
    expect(text).to.equal(
      '1\n00:00:00,000 --> 00:00:01,250\nspeaker 1: Good morning.\n\n' +
        '2\n00:00:01,250 --> 00:01:00,000\nspeaker 2: My parcel has not arrived.\n\n' +
        '3\n01:02:03,004 --> 01:02:05,500\nspeaker 1: Why?\n\n',
    );
  });

  it('vtt is WebVTT with escaped text', async () => {
    const said = { role: 'a <b> & c', text: '1 --> 2 <i>& so on</i>', start_s: 2, end_s: 3 };
    const { id } = await add([TIMED[0]!, said]);
    const { type, text } = await download(id, 'vtt');
    expect(type).to.equal('text/vtt; charset=utf-8');
    expect(text).to.equal(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.250\n<v speaker 1>Good morning.\n\n' +
        '00:00:02.000 --> 00:00:03.000\n<v a &lt;b&gt; &amp; c>1 --&gt; 2 &lt;i&gt;&amp; so on&lt;/i&gt;\n',
    );
  });

  it('shows a turn without an end until the next one, and the last for two seconds', async () => {
    const { id } = await add([
      { role: 'a', text: '1', start_s: 0 },
      { role: 'a', text: '2', start_s: 4, end_s: 4 },
      { role: 'a', text: '3', start_s: 5 },
    ]);
    const { text } = await download(id, 'srt');
    expect(text.match(/.* --> .*/g)).to.deep.equal([
      '00:00:00,000 --> 00:00:04,000',
      '00:00:04,000 --> 00:00:04,001',
      '00:00:05,000 --> 00:00:07,000',
    ]);
  });

  it('replaces speakers with the roles that the model or a person set in text formats; JSON keeps the speakers', async () => {
    const map = { 'speaker 1': 'operator', 'speaker 2': null } as const;
    const { id } = await add(TIMED, { roles: { source: 'model', map, evidence: {} } });
    expect((await download(id, 'txt')).text).to.match(/^operator: Good morning\.\nspeaker 2: /);
    await SessionModel.query()
      .findById(id)
      .patch({ person_roles: { 'speaker 1': 'client', 'speaker 2': 'operator' } });
    expect((await download(id, 'srt')).text)
      .to.contain('\nclient: Good morning.')
      .and.contain('\noperator: My parcel');
    expect((await download(id, 'vtt')).text).to.contain('<v client>Good morning.');
    expect((await ask(id)).body.turns).to.deep.equal(TIMED);
  });

  it('returns the submitted conversation of a text session; without turns, it is empty', async () => {
    const session = await createSession(assistant);
    const { body } = await ask(session.id);
    expect(body).to.deep.include({ turns: session.conversation, language: null, duration_s: null });
    expect(body).to.have.property('text', (await download(session.id, 'txt')).text);
    const { id: silent } = await add([], { transcript: { ...TRANSCRIPT, text: '' } });
    const texts = [await download(silent, 'txt'), await download(silent, 'srt'), await download(silent, 'vtt')];
    expect(texts.map(({ text }) => text)).to.deep.equal(['', '', 'WEBVTT\n']);
  });

  it('answers 409 to srt and vtt if a turn has no time', async () => {
    const { id } = await add([TIMED[0]!, { role: 'a', text: 'When?' }]);
    for (const format of ['srt', 'vtt']) expect((await ask(id, format)).problem.code).to.equal('conflict');
  });

  it('returns 422 for unknown formats, and only headers for HEAD', async () => {
    const { id } = await add(TIMED);
    for (const format of ['pdf', '']) expect((await ask(id, format)).paths, format).to.deep.equal(['format']);
    const url = `${api.url}${API_BASE}/v1/sessions/${id}/transcript?format=txt`;
    const response = await fetch(url, { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } });
    expect([response.status, await response.text()]).to.deep.equal([200, '']);
    expect(Number(response.headers.get('content-length'))).to.be.greaterThan(0);
  });
});
