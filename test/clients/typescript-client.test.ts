import * as client from 'conversation-analysis-client';
import { eventually } from '../support/eventually.ts';
import { says, TEXT_SETTINGS } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import { useSharedService } from '../support/shared-service.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';

/** Returns the error of a promise that must be rejected. */
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('no error'),
    (error: unknown) => error,
  );

describe('The TypeScript client', () => {
  const service = useSharedService();

  /** Returns a new client for each test, and a function that sets its token. */
  function connect() {
    let token = '';
    const connection = client.createClient({ baseUrl: `${service.api.url}/api`, auth: () => token });
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

  it('works from registration to a delivered result', async () => {
    const receiver = await stopAfterTest(startReceiver());
    const connection = await registered();
    const options = { client: connection, throwOnError: true } as const;
    const settings = { ...TEXT_SETTINGS, webhook_url: `${receiver.url}/hook` };
    const { data: assistant } = await client.createAssistant({ ...options, body: settings });
    const body = { assistant_id: assistant.id, conversation: says('My parcel has not arrived.') };
    const headers = { Prefer: 'respond-async' };
    const accepted = await client.submitTextRequest({ ...options, headers, body });
    expect(accepted.response.status).to.equal(202);
    expect(accepted.response.headers.get('location')).to.equal(`/api/v1/sessions/${accepted.data.session_id}`);
    const submitted = await client.submitTextRequest({ ...options, body });
    expect(submitted.response.status).to.equal(200);
    expect(submitted.data.summary_text).to.be.a('string');

    const path = { id: submitted.data.session_id };
    const { data: session } = await client.getSession({ ...options, path });
    expect(session.raw_response).to.deep.equal(submitted.data.raw_response);
    const delivered = await eventually(
      async () => (await client.listSessionDeliveries({ ...options, path })).data.data,
      ([delivery]) => delivery?.status === 'delivered',
    );
    expect(delivered).to.have.length(1);
    const received = receiver.requests.find(({ body: sent }) => sent.includes(session.session_id));
    expect(received?.path).to.equal('/hook');
    const payload = JSON.parse(received?.body.toString() ?? '') as client.WebhookPayload;
    expect(payload.summary_text).to.equal(session.summary_text);
  });

  it('throws the problem of the API as an ApiError', async () => {
    const connection = await registered();
    const path = { id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7' };
    const error = await rejection(client.getSession({ client: connection, path }));
    expect(error).to.be.instanceOf(client.ApiError).and.instanceOf(Error);
    expect(error).to.include({ name: 'ApiError', status: 404, code: 'not_found', isRetryable: false });
    expect((error as client.ApiError).request_id).to.equal(
      (error as client.ApiError).response.headers.get('x-request-id'),
    );
    expect(String(error)).to.match(/^ApiError: \w/);
    const body = { ...TEXT_SETTINGS, name: '', temperature: 9 };
    const invalid = (await rejection(client.createAssistant({ client: connection, body }))) as client.ApiError;
    expect(invalid.errors?.map(({ path: field }) => field)).to.have.members(['name', 'temperature']);
    expect(invalid.message).to.contain('name: must not be empty');
  });

  it('yields the items of every page of a list', async () => {
    const connection = await registered();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await client.createAssistant({ client: connection, body: { ...TEXT_SETTINGS, name } });
    const found: string[] = [];
    const options = { client: connection, query: { limit: 2 } };
    for await (const assistant of client.paginate(client.listAssistants, options)) found.push(assistant.name);
    expect(found.toSorted()).to.deep.equal(names);
  });
});
