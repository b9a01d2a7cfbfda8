import type { Login } from '../../../contract/account/account.ts';
import { send, sendRaw } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createOwner, createSession, says, TEXT_SETTINGS } from '../../support/factories.ts';
import { recordedLog } from '../../support/log.ts';
import { startReceiver } from '../../support/receiver.ts';
import { useTestService } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

/** Each text occurs nowhere else, so a match in the log shows where it came from. */
const SAID = 'parcel-of-the-client';
const PROMPT = 'prompt-of-the-operator';
const PASSWORD = 'password-of-the-user';
const NEW_PASSWORD = 'another-password-of-the-user';
const WRONG_PASSWORD = 'password-that-is-wrong';
const SECRET = 'secret-of-the-webhook';
const RECEIVED = 'answer-of-the-receiver';

describe('The log at debug level', () => {
  const { log, text, find } = recordedLog();
  const service = useTestService({ log });

  /** Uses an account, from registration to a password change and with failures. Returns the created tokens. */
  async function live(): Promise<string[]> {
    const { api } = service;
    const receiver = await stopAfterTest(startReceiver((response) => response.writeHead(500).end(RECEIVED)));
    const email = 'somebody-with-a-log@example.com';
    const registered = await send(api, 'register', { body: { email, password: PASSWORD, name: 'Ada' } });
    await send(api, 'login', { body: { email, password: WRONG_PASSWORD } });
    const { token } = registered.body;
    const key = await send(api, 'createKey', { token, body: { name: 'k' } });
    const settings = { ...TEXT_SETTINGS, system_prompt: PROMPT };
    const webhook = { webhook_url: receiver.url, webhook_secret: SECRET };
    const assistant = await send(api, 'createAssistant', { token, body: { ...settings, ...webhook } });
    const submit = (said: string, extra: object = {}) =>
      send(api, 'submitTextRequest', {
        token: key.body.token,
        body: { assistant_id: assistant.body.id, conversation: says(said), ...extra },
      });

    const { body } = await submit(SAID);
    expect(body.summary_text).to.contain(SAID);
    const params = { id: body.delivery?.delivery_id ?? '' };
    await eventually(
      async () => (await send(api, 'getDelivery', { token, params })).body,
      ({ attempts }) => attempts[0]?.outcome === 'failed',
    );
    expect((await submit(`${SAID} [provider status=401]`)).status).to.equal(502);
    expect((await submit(`${SAID} [provider status=503 times=1]`)).status).to.equal(200);
    expect((await submit(SAID, { [SAID]: SAID, metadata: { a: SAID.repeat(100) } })).status).to.equal(422);
    const headers = { 'Content-Type': 'application/json' };
    const cut = { token: key.body.token, headers, body: `{"conversation": "${SAID}` };
    expect((await sendRaw(api, 'POST', '/v1/requests/text', cut)).status).to.equal(400);
    expect((await sendRaw(api, 'GET', `/v1/sessions?token=${SECRET}`, { token: SECRET })).status).to.equal(401);
    const patch = { webhook_secret: `${SECRET} `, system_prompt: '' };
    await send(api, 'updateAssistant', { token, params: { id: assistant.body.id }, body: patch });
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    const changed = (await send(api, 'changePassword', { token, body: change })).body as Login;
    return [registered.body.token, key.body.token, changed.token];
  }

  it('§7 contains no content, password, token or secret', async () => {
    const tokens = await live();
    expect(text()).to.contain('"msg":"request"');
    const secrets = [SAID, PROMPT, PASSWORD, NEW_PASSWORD, WRONG_PASSWORD, SECRET, RECEIVED];
    for (const secret of [...secrets, ...tokens, 'Bearer', 'authorization', 'Authorization', 'argon2']) {
      expect(text(), secret).not.to.contain(secret);
    }
  });

  it('contains nothing of an error that quotes content', async () => {
    const quoting = Object.assign(new Error(`invalid input: "${SAID}"`), { detail: SAID, query: SAID, where: SAID });
    log.error({ err: quoting }, 'request failed');
    log.error({ err: new Error('outer', { cause: quoting }) }, 'request failed');
    log.error({ err: SAID }, 'request failed');
    expect(text()).to.contain('"name":"Error"').and.not.to.contain(SAID);
  });

  it('has one line for each request, with the properties that operators search for', async () => {
    const headers = { 'X-Request-Id': 'find-me-again' };
    await sendRaw(service.api, 'GET', '/user/me?secret=in-the-query', { headers });
    await eventually(() => find('find-me-again').length, 1);
    const { time, duration_ms, ...rest } = find('find-me-again')[0]!;
    expect([typeof time, typeof duration_ms]).to.deep.equal(['string', 'number']);
    const facts = {
      request_id: 'find-me-again',
      method: 'GET',
      path: '/api/user/me',
      status: 401,
      route: '/api/user/me',
      address: '127.0.0.1',
    };
    expect(rest).to.deep.equal({ level: 'info', msg: 'request', ...facts });
  });

  it('names workspace and session of each request, also of failed ones', async () => {
    const { user, token, assistant } = await createOwner();
    const headers = { 'X-Request-Id': `from-${user.id}` };
    const submit = (said: string) =>
      send(service.api, 'submitTextRequest', {
        token,
        headers,
        body: { assistant_id: assistant.id, conversation: says(said) },
      });
    const { session_id } = (await submit('Hello.')).body;
    const failed = (await submit('[provider status=401]')).problem.session_id;
    await send(service.api, 'getSession', { token, headers, params: { id: session_id } });
    await eventually(() => find(`"from-${user.id}"`).length, 3);
    const told = find(`"from-${user.id}"`);
    expect(told.map((line) => line['workspace_id'])).to.deep.equal(Array(3).fill(user.default_workspace_id));
    expect(told.map((line) => line['session_id'])).to.deep.equal([session_id, failed, session_id]);
  });

  it('has 499 for a request whose client did not wait for the response', async () => {
    const { user, token, assistant } = await createOwner();
    const session = await createSession(assistant, { status: 'queued' });
    const headers = { Authorization: `Bearer ${token}`, 'X-Request-Id': `left-by-${user.id}` };
    const url = `${service.api.url}/api/v1/sessions/${session.id}?wait=30`;
    await eventually(async () => {
      await fetch(url, { headers, signal: AbortSignal.timeout(100) }).catch(() => undefined);
      return find(`"left-by-${user.id}"`).map((line) => line['status'])[0];
    }, 499);
  });
});
