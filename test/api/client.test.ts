import { expect } from 'chai';
import { createClient } from '../../clients/typescript/src/client/index.ts';
import * as client from '../../clients/typescript/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';

describe('The TypeScript client', () => {
  let service: TestService;
  let receiver: Receiver;
  before(async function () {
    this.timeout(0);
    service = await startTestService();
    receiver = await startReceiver();
  });
  after(async () => {
    await service.stop();
    await receiver.stop();
  });

  /** A client of its own for every test, with whatever token it is given last. */
  function connect() {
    let token = '';
    const connection = createClient({ baseUrl: `${service.api.url}/api`, auth: () => token });
    return { connection, useToken: (given: string) => (token = given) };
  }

  async function registered() {
    const { connection, useToken } = connect();
    const credentials = { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery' };
    await client.register({ client: connection, body: { ...credentials, name: 'Ada' }, throwOnError: true });
    const { data } = await client.login({ client: connection, body: credentials, throwOnError: true });
    useToken(data.token);
    const key = await client.createKey({ client: connection, body: { name: 'client' }, throwOnError: true });
    useToken(key.data.token);
    return connection;
  }

  it('goes all the way from an account to a delivered result', async () => {
    const connection = await registered();
    const { data: assistant } = await client.createAssistant({
      client: connection,
      throwOnError: true,
      body: {
        ...{ name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise the conversation.' },
        webhook_url: `${receiver.url}/hook`,
      },
    });
    const submitted = await client.submitTextRequest({
      client: connection,
      throwOnError: true,
      body: {
        assistant_id: assistant.id,
        conversation: [
          { role: 'operator', text: 'Good morning, how can I help?' },
          { role: 'client', text: 'My parcel has not arrived.' },
        ],
      },
    });
    expect(submitted.response.status).to.equal(200);
    expect(submitted.data.summary_text).to.be.a('string');

    const path = { id: submitted.data.session_id };
    const { data: session } = await client.getSession({ client: connection, path, throwOnError: true });
    expect(session.raw_response).to.deep.equal(submitted.data.raw_response);
    const delivered = await eventually(
      async () => (await client.listSessionDeliveries({ client: connection, path, throwOnError: true })).data.data,
      ([delivery]) => delivery?.status === 'delivered',
    );
    expect(delivered).to.have.length(1);
    const received = receiver.requests.find(({ path: hook }) => hook === '/hook');
    const payload = JSON.parse(received?.body.toString() ?? '') as client.WebhookPayload;
    expect(payload.summary_text).to.equal(session.summary_text);
  });

  it('gives an error as the problem that it is', async () => {
    const connection = await registered();
    const path = { id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7' };
    const { data, error, response } = await client.getSession({ client: connection, path });
    expect(data).to.equal(undefined);
    expect(error?.code).to.equal('not_found');
    expect(error?.request_id).to.equal(response?.headers.get('x-request-id'));
  });

  it('asks not to wait, and reads where the session is', async () => {
    const connection = await registered();
    const { data: assistant } = await client.createAssistant({
      client: connection,
      throwOnError: true,
      body: { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.' },
    });
    const { data, response } = await client.submitTextRequest({
      client: connection,
      throwOnError: true,
      headers: { Prefer: 'respond-async' },
      body: { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'Hello?' }] },
    });
    expect(response.status).to.equal(202);
    expect(response.headers.get('location')).to.equal(`/api/v1/sessions/${data.session_id}`);
  });
});
