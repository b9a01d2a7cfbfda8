import { expect } from 'chai';
import { createAssistant, updateAssistant } from '../../contract/assistants.ts';
import { changePassword, login, register } from '../../contract/account.ts';
import type { Login } from '../../contract/account.ts';
import { createKey } from '../../contract/keys.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { getDelivery } from '../../contract/deliveries.ts';
import { getSession } from '../../contract/sessions.ts';
import { send, sendRaw } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant as createAssistantRow, createUser } from '../support/factories.ts';
import { recordedLog } from '../support/log.ts';
import { startReceiver } from '../support/receiver.ts';
import { useTestService } from '../support/set-up.ts';

/** Each occurs nowhere else, so that finding one in the log tells where it came from. */
const SAID = 'parcel-of-the-client';
const PROMPT = 'prompt-of-the-operator';
const PASSWORD = 'password-of-the-user';
const NEW_PASSWORD = 'another-password-of-the-user';
const WRONG_PASSWORD = 'password-that-is-wrong';
const SECRET = 'secret-of-the-webhook';
const RECEIVED = 'answer-of-the-receiver';

describe('The log at debug level', () => {
  const { log, text } = recordedLog();
  const service = useTestService({ log });

  /** The life of an account, with its failures; what it made that nobody else may see. */
  async function live(): Promise<string[]> {
    const { api } = service;
    const receiver = await startReceiver((response) => response.writeHead(500).end(RECEIVED));
    const email = 'somebody-with-a-log@example.com';
    const registered = await send(api, register, { body: { email, password: PASSWORD, name: 'Ada' } });
    await send(api, login, { body: { email, password: WRONG_PASSWORD } });
    const { token } = registered.body;
    const key = await send(api, createKey, { token, body: { name: 'k' } });
    const settings = { name: 'a', type: 'text', llm_provider: 'openai', system_prompt: PROMPT };
    const webhook = { webhook_url: receiver.url, webhook_secret: SECRET };
    const assistant = await send(api, createAssistant, { token, body: { ...settings, ...webhook } });
    const submit = (said: string, extra: object = {}) =>
      send(api, submitTextRequest, {
        token: key.body.token,
        body: { assistant_id: assistant.body.id, conversation: [{ role: 'client', text: said }], ...extra },
      });

    const { body } = await submit(SAID);
    expect(body.summary_text).to.contain(SAID);
    const params = { id: body.delivery?.delivery_id ?? '' };
    await eventually(
      async () => (await send(api, getDelivery, { token, params })).body,
      ({ attempts }) => attempts[0]?.outcome === 'failed',
    );
    expect((await submit(`${SAID} [vendor status=401]`)).status).to.equal(502);
    expect((await submit(`${SAID} [vendor status=503 times=1]`)).status).to.equal(200);
    expect((await submit(SAID, { [SAID]: SAID, metadata: { a: SAID.repeat(100) } })).status).to.equal(422);
    const headers = { 'Content-Type': 'application/json' };
    const cut = { token: key.body.token, headers, body: `{"conversation": "${SAID}` };
    expect((await sendRaw(api, 'POST', '/v1/requests/text', cut)).status).to.equal(400);
    expect((await sendRaw(api, 'GET', `/v1/sessions?token=${SECRET}`, { token: SECRET })).status).to.equal(401);
    const patch = { webhook_secret: `${SECRET} `, system_prompt: '' };
    await send(api, updateAssistant, { token, params: { id: assistant.body.id }, body: patch });
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    const changed = (await send(api, changePassword, { token, body: change })).body as Login;
    await receiver.stop();
    return [registered.body.token, key.body.token, changed.token];
  }

  it('§7 holds nothing that was said, asked or answered, no password, no token and no secret', async () => {
    const tokens = await live();
    expect(text()).to.contain('"msg":"request"');
    const secrets = [SAID, PROMPT, PASSWORD, NEW_PASSWORD, WRONG_PASSWORD, SECRET, RECEIVED];
    for (const secret of [...secrets, ...tokens, 'Bearer', 'authorization', 'Authorization', 'argon2']) {
      expect(text(), secret).not.to.contain(secret);
    }
  });

  it('holds nothing of a fault that quotes what it choked on', async () => {
    const quoting = Object.assign(new Error(`invalid input: "${SAID}"`), { detail: SAID, query: SAID, where: SAID });
    log.error({ err: quoting }, 'request failed');
    log.error({ err: new Error('outer', { cause: quoting }) }, 'request failed');
    log.error({ err: SAID }, 'request failed');
    expect(text()).to.contain('"name":"Error"').and.not.to.contain(SAID);
  });

  it('tells of each request what an operator needs to find it again', async () => {
    const headers = { 'X-Request-Id': 'find-me-again' };
    await sendRaw(service.api, 'GET', '/user/me?secret=in-the-query', { headers });
    const line = await eventually(
      () =>
        text()
          .split('\n')
          .find((candidate) => candidate.includes('find-me-again')),
      (found) => found !== undefined,
    );
    const { time, duration_ms, ...rest } = JSON.parse(line ?? '') as Record<string, unknown>;
    expect([typeof time, typeof duration_ms]).to.deep.equal(['string', 'number']);
    const facts = {
      ...{ request_id: 'find-me-again', method: 'GET', path: '/api/user/me', status: 401 },
      ...{ route: '/api/user/me', address: '127.0.0.1' },
    };
    expect(rest).to.deep.equal({ level: 'info', msg: 'request', ...facts });
  });

  it('names the user and the session of each request that has them, also of one that failed', async () => {
    const { user, token } = await createUser();
    const assistant = await createAssistantRow(user.id);
    const submit = (said: string) =>
      send(service.api, submitTextRequest, {
        token,
        headers: { 'X-Request-Id': `from-${user.id}` },
        body: { assistant_id: assistant.id, conversation: [{ role: 'client', text: said }] },
      });
    const { session_id } = (await submit('Hello.')).body;
    const failed = (await submit('[vendor status=401]')).problem.session_id;
    await send(service.api, getSession, {
      token,
      headers: { 'X-Request-Id': `from-${user.id}` },
      params: { id: session_id },
    });
    const lines = await eventually(
      () =>
        text()
          .split('\n')
          .filter((line) => line.includes(`"from-${user.id}"`)),
      ({ length }) => length === 3,
    );
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told.map((line) => line['user_id'])).to.deep.equal([user.id, user.id, user.id]);
    expect(told.map((line) => line['session_id'])).to.deep.equal([session_id, failed, session_id]);
  });
});
