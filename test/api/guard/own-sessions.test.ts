/** A browser page has a token that reads the sessions which it created, and nothing else of the workspace. */
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { getSessionAudio } from '../../../contract/sessions/recording.ts';
import { getSession } from '../../../contract/sessions/sessions.ts';
import { getSessionTranscript } from '../../../contract/sessions/transcripts.ts';
import type { Scope } from '../../../contract/values/scopes.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send, sendRaw } from '../../support/api.ts';
import { exampleParams } from '../../support/example-params.ts';
import { createOwner, createSession } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const PAGE = 'https://shop.example.com';
const SCOPES: Scope[] = ['requests:write', 'sessions:own'];

describe('A token with the scope sessions:own', () => {
  const api = useTestApi({ env: { CORS_ORIGINS: PAGE } });
  let owner: string;
  let assistant: AssistantModel;
  let page: { key_id: string; token: string };
  beforeEach(async () => {
    ({ token: owner, assistant } = await createOwner());
    page = await issue();
  });

  const issue = async (scopes = SCOPES) =>
    (await send(api, 'createKey', { token: owner, body: { name: 'Page', scopes } })).body;
  const own = (created_by: string) => createSession(assistant, { created_by, status: 'completed' });
  const READS = [getSession, getSessionTranscript, getSessionAudio];

  it('reads a session that it submitted, from a page of another origin', async () => {
    const headers = { Authorization: `Bearer ${page.token}`, Origin: PAGE };
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'Hello?' }] };
    const submitted = await send(api, 'submitTextRequest', { token: page.token, body, headers: { Prefer: 'wait=0' } });
    const { session_id } = submitted.body as { session_id: string };
    const answer = await fetch(`${api.url}/api/v1/sessions/${session_id}`, { headers });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(PAGE);
    expect(await answer.json()).to.include({ session_id });
  });

  it('gets 404 for every other session of the workspace, also if it knows the ID', async () => {
    const { id } = await own(page.key_id);
    expect((await send(api, 'getSession', { token: page.token, params: { id } })).status).to.equal(200);
    expect((await send(api, 'getSessionTranscript', { token: page.token, params: { id } })).status).to.equal(200);
    const reanalysis = await createSession(assistant, { created_by: 'user_1', source_session_id: id });
    const others = [await own((await issue()).key_id), await own('user_1'), await own((await createOwner()).user.id)];
    await SessionModel.query().findById(others[2]!.id).patch({ created_by: null });
    for (const endpoint of READS) {
      for (const other of [...others, reanalysis]) {
        const answer = await send(api, endpoint, { token: page.token, params: { id: other.id } });
        expect(answer.status, `${endpoint.operationId} ${other.created_by}`).to.equal(404);
      }
      const odd = await sendRaw(api, 'GET', endpoint.path.replace('{id}', 'sess_%00'), { token: page.token });
      expect(odd.status).to.equal(404);
    }
  });

  it('opens no other operation: no list, event, export, delivery, timeline, count or change', async () => {
    const { id } = await own(page.key_id);
    const open: string[] = [];
    for (const endpoint of ENDPOINTS) {
      if (endpoint.scope === null || endpoint.scope === 'requests:write') continue;
      const params = exampleParams(endpoint, { sess: id });
      const answer = await send(api, endpoint, { token: page.token, params });
      if (answer.status !== 403) open.push(endpoint.operationId);
    }
    expect(open).to.have.members(READS.map(({ operationId }) => operationId));
    const revealed = await send(api, 'getSession', { token: page.token, params: { id }, query: { reveal: 'true' } });
    expect(revealed.status).to.equal(403);
    const changed = await send(api, 'reanalyzeSession', { token: page.token, params: { id }, body: {} });
    expect(changed.status).to.equal(403);
  });

  it('reads nothing that the token which it replaced created', async () => {
    const { id } = await own(page.key_id);
    const { body: rolled } = await send(api, 'rollKey', { token: owner, params: { key_id: page.key_id }, body: {} });
    expect((await send(api, 'getSession', { token: rolled.token, params: { id } })).status).to.equal(404);
  });

  it('is no obstacle beside sessions:read', async () => {
    const { token } = await issue([...SCOPES, 'sessions:read']);
    const { id } = await own('user_1');
    expect((await send(api, 'getSession', { token, params: { id } })).status).to.equal(200);
  });
});
