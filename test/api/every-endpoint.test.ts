import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import { createKey, revokeKey } from '../../contract/keys.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ERRORS } from '../../contract/errors.ts';
import type { ErrorCode, Problem } from '../../contract/errors.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { send, sendRaw, startTestApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { createVoiceSession } from '../support/audio.ts';
import { createAssistant, createBatch, createDelivery, createLogin, createUser } from '../support/factories.ts';

const nameOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path}`;

/** The declared examples: of the right form, and nobody's. */
const exampleParams = ({ params }: Endpoint) =>
  Object.fromEntries(
    Object.entries(params?.shape ?? {}).map(([name, schema]) => [name, (schema as { meta(): object }).meta()]),
  ) as Record<string, { examples: [string] }>;

function paramsOf(endpoint: Endpoint, replace: Record<string, string> = {}): Record<string, string> {
  const examples = Object.entries(exampleParams(endpoint));
  return Object.fromEntries(
    examples.map(
      ([
        name,
        {
          examples: [example],
        },
      ]) => [name, replace[example.split('_')[0] ?? ''] ?? example],
    ),
  );
}

const pathOf = (endpoint: Endpoint) =>
  endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => paramsOf(endpoint)[name] ?? '');

function expectProblem(answer: Answer<unknown>, code: ErrorCode): Problem {
  const { problem } = answer;
  expect(problem.code).to.equal(code);
  expect([answer.status, problem.status]).to.deep.equal([ERRORS[code].status, ERRORS[code].status]);
  expect(answer.headers.get('content-type')).to.equal('application/problem+json');
  expect(problem.request_id).to.equal(answer.headers.get('x-request-id'));
  expect(problem.type).to.contain(code);
  return problem;
}

describe('Every endpoint', () => {
  let api: RunningApi;
  let user: Awaited<ReturnType<typeof createUser>>;
  before(async function () {
    this.timeout(0);
    [api, user] = await Promise.all([startTestApi(), createUser()]);
  });
  after(() => api.stop());

  /** What a body can't be without. */
  const NEEDED: Record<string, object> = { setSessionRoles: { map: null }, updateBatch: { max_cost_usd: null } };

  /** With a body that a PATCH takes and that tells the rest apart from an empty one. */
  const call = (endpoint: Endpoint, token?: string, headers = {}, params = paramsOf(endpoint)) =>
    send(api, endpoint, {
      params,
      headers,
      ...(token !== undefined && { token }),
      ...(endpoint.body && { body: NEEDED[endpoint.operationId] ?? {} }),
    });

  async function revokedToken(): Promise<string> {
    const { body } = await send(api, createKey, { token: user.token, body: { name: 'short-lived' } });
    await send(api, revokeKey, { token: user.token, params: { key_id: body.key_id } });
    return body.token;
  }

  it('§5.1 registering and logging in are the only ones without authentication', () => {
    const open = ENDPOINTS.filter(({ auth }) => auth === 'none').map(({ path }) => path);
    expect(open).to.have.members([
      ...['/v1/auth/register', '/v1/auth/login'],
      ...['/v1/auth/console-registration', '/v1/auth/console-session'],
    ]);
  });

  for (const endpoint of ENDPOINTS.filter(({ auth }) => auth === 'bearer')) {
    describe(nameOf(endpoint), () => {
      it('§5.1 answers 401 without a token, with garbage and with a revoked one', async () => {
        const revoked = await revokedToken();
        const garbled = `${user.token.slice(0, -1)}${user.token.endsWith('0') ? '1' : '0'}`;
        for (const headers of [
          {},
          { Authorization: '' },
          { Authorization: 'Bearer' },
          { Authorization: user.token },
          { Authorization: `Basic ${btoa(`:${user.token}`)}` },
          { Authorization: `Bearer ${user.token} ${user.token}` },
          { Authorization: `Bearer ${garbled}` },
          { Authorization: `Bearer ${user.token.toUpperCase()}` },
          { Authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
          { Authorization: `Bearer ${revoked}` },
        ]) {
          const answer = await call(endpoint, undefined, headers);
          expectProblem(answer, 'unauthorized');
          expect(answer.headers.get('www-authenticate'), JSON.stringify(headers)).to.equal('Bearer');
        }
      });

      it('takes the scheme in any case', async () => {
        // Of a user whose account or tokens the call may end.
        const { token } = await createUser();
        const answer = await call(endpoint, undefined, { Authorization: `bearer ${token}` });
        expect(answer.status).not.to.equal(401);
      });

      it('does not take the token from the query', async () => {
        const path = `${pathOf(endpoint)}?access_token=${user.token}&token=${user.token}`;
        expectProblem(await sendRaw(api, endpoint.method.toUpperCase(), path), 'unauthorized');
      });
    });
  }

  describe('with a method that the path does not take', () => {
    for (const path of new Set(ENDPOINTS.map((endpoint) => endpoint.path))) {
      it(`answers 405 and the ones it takes: ${path}`, async () => {
        // The very path: `/v1/deliveries/redeliver` has the form of `/v1/deliveries/{id}` too.
        const here = ENDPOINTS.filter((endpoint) => endpoint.path === path);
        const methods = here.map(({ method }) => method.toUpperCase());
        for (const method of ['PUT', 'DELETE', 'POST', 'PATCH', 'GET', 'OPTIONS'].filter(
          (name) => !methods.includes(name),
        )) {
          const answer = await sendRaw(api, method, pathOf(ENDPOINTS.find((endpoint) => endpoint.path === path)!), {
            token: user.token,
          });
          expectProblem(answer, 'method_not_allowed');
          const allowed = answer.headers
            .get('allow')
            ?.split(', ')
            .filter((name) => name !== 'HEAD');
          expect(allowed, method).to.have.members(methods);
        }
      });
    }
  });

  describe('with something that the contract does not know', () => {
    for (const endpoint of ENDPOINTS.filter(({ body }) => body)) {
      it(`answers 422 and names the field: ${nameOf(endpoint)}`, async () => {
        const answer = await send(api, endpoint, {
          token: user.token,
          params: paramsOf(endpoint),
          body: { nonsense: true, constructor: 1 },
        });
        const { errors } = expectProblem(answer, 'validation_failed');
        expect(errors).to.deep.include({ path: 'nonsense', message: 'is not a known field' });
        expect(errors).to.deep.include({ path: 'constructor', message: 'is not a known field' });
      });
    }

    for (const endpoint of ENDPOINTS) {
      it(`answers 422 and names the query parameter: ${nameOf(endpoint)}`, async () => {
        const answer = await send(api, endpoint, {
          token: user.token,
          params: paramsOf(endpoint),
          query: { nonsense: 1, limitt: 2 },
        });
        const { errors } = expectProblem(answer, 'validation_failed');
        expect(errors).to.have.deep.members([
          { path: 'nonsense', message: 'is not a known field' },
          { path: 'limitt', message: 'is not a known field' },
        ]);
      });
    }

    for (const endpoint of ENDPOINTS) {
      if (!Object.hasOwn(endpoint.query?.shape ?? {}, 'cursor')) continue;
      it(`answers 422 to a cursor that it never gave: ${nameOf(endpoint)}`, async () => {
        for (const cursor of ['garbled', 'other_01h455vb4pex5vsknk084sn02q']) {
          const answer = await send(api, endpoint, {
            token: user.token,
            params: paramsOf(endpoint),
            query: { cursor },
          });
          const { errors } = expectProblem(answer, 'validation_failed');
          expect(errors?.map(({ path }) => path)).to.include('cursor');
        }
      });
    }

    it('answers 404 for a path of nobody, with a token or without', async () => {
      for (const path of ['/v1/nothing', '/v2/keys', '/v1', '/', '/v1/user/me', '/v1/keys/a/b']) {
        expectProblem(await sendRaw(api, 'GET', path), 'not_found');
        expectProblem(await sendRaw(api, 'GET', path, { token: user.token }), 'not_found');
      }
    });
  });

  describe('with an id', () => {
    for (const endpoint of ENDPOINTS.filter(({ params }) => params)) {
      it(`answers another user's exactly like a missing one: ${nameOf(endpoint)}`, async () => {
        const owner = await createUser();
        const assistant = await createAssistant(owner.user.id, { webhook_url: 'https://example.com/' });
        const session = await createVoiceSession(assistant);
        const delivery = await createDelivery(session);
        const { body: key } = await send(api, createKey, { token: owner.token, body: { name: 'a' } });
        const login = await createLogin(owner.user);
        await VendorCallModel.query().insert({
          ...{
            session_id: session.id,
            user_id: owner.user.id,
            assistant_id: assistant.id,
            step: 'analysis',
            attempt: 1,
          },
          ...{ provider: 'openai', status: 'succeeded' },
        });
        const redelivery = await RedeliveryModel.create(owner.user.id, { status: 'failed' });
        const ids = {
          ...{ asst: assistant.id, sess: session.id, dlv: delivery.id, key: key.key_id, rdl: redelivery.id },
          ...{ login: login.id, bat: (await createBatch(owner.user.id)).id },
        };
        const missing = await call(endpoint, user.token);
        const foreign = await call(endpoint, user.token, {}, paramsOf(endpoint, ids));
        const { request_id: _missingId, ...expected } = expectProblem(missing, 'not_found');
        const { request_id: _foreignId, ...actual } = expectProblem(foreign, 'not_found');
        expect(actual).to.deep.equal(expected);
        expect(await AssistantModel.query().findById(assistant.id)).to.deep.equal(assistant);
        const own = await call(endpoint, owner.token, { Prefer: 'respond-async' }, paramsOf(endpoint, ids));
        expect(own.status).not.to.equal(404);
      });

      it(`answers 404 for whatever has not its form: ${nameOf(endpoint)}`, async () => {
        const [good = ''] = Object.values(paramsOf(endpoint));
        const [prefix = '', suffix = ''] = good.split('_');
        for (const id of [
          'x',
          '0',
          suffix,
          `user_${suffix}`,
          good.toUpperCase(),
          `${prefix}_${'z'.repeat(26)}`,
          `${good}\u0000`,
          `${good} `,
          `${good}\n`,
          '../keys',
          "' or 1=1 --",
          'é'.repeat(300),
        ]) {
          const params = Object.fromEntries(Object.keys(paramsOf(endpoint)).map((name) => [name, id]));
          expectProblem(await call(endpoint, user.token, {}, params), 'not_found');
        }
      });
    }
  });

  describe('answers with X-Request-Id', () => {
    for (const endpoint of ENDPOINTS) {
      it(`the client's own when it is sane: ${nameOf(endpoint)}`, async () => {
        for (const id of ['a', 'req_01:2.3-4', 'x'.repeat(128)]) {
          const answer = await call(endpoint, undefined, { 'X-Request-Id': id });
          expect(answer.headers.get('x-request-id')).to.equal(id);
          expect(answer.problem.request_id).to.equal(id);
        }
      });
    }

    it('a new one when the client sent none or an insane one', async () => {
      const endpoint = ENDPOINTS.find(({ operationId }) => operationId === 'listKeys')!;
      for (const id of ['', 'x'.repeat(129), 'a b', '<script>', 'é', '{"a":1}', 'a, b', '%0d%0a']) {
        const answer = await call(endpoint, user.token, { 'X-Request-Id': id });
        expect(answer.headers.get('x-request-id'), id).to.match(/^[0-9a-f-]{36}$/);
      }
    });
  });

  it('is never cached, sniffed or framed, be it a success or an error', async () => {
    for (const token of [user.token, 'x']) {
      const { headers } = await call(
        ENDPOINTS.find(({ operationId }) => operationId === 'getCurrentUser')!,
        token,
      );
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.contain("frame-ancestors 'none'");
      expect(headers.get('access-control-allow-origin')).to.equal(null);
    }
  });
});
