import { typeid } from 'typeid-js';
import { MEMBER_ROLES, type MemberRole } from '../../../contract/values/constants.ts';
import type { Endpoint } from '../../../contract/values/endpoint.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { ERRORS, type ErrorCode } from '../../../contract/errors/errors.ts';
import type { Problem } from '../../../contract/errors/problem.ts';
import { hasRoleScope, TOKEN_SCOPES } from '../../../contract/values/scopes.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { IdentityModel } from '../../../db/models/identity.ts';
import { InvitationModel } from '../../../db/models/invitation.ts';
import { ShareModel } from '../../../db/models/share.ts';
import { UserModel } from '../../../db/models/user.ts';
import { errorAt } from '../../../contract/errors/field-errors.ts';
import { send, sendRaw, type Answer } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { exampleParams } from '../../support/example-params.ts';
import {
  createAssistant,
  createBatch,
  createCall,
  createDelivery,
  createLogin,
  createUser,
} from '../../support/factories.ts';
import { findRows, testDatabase } from '../../support/database.ts';
import { createMember, logInAs } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const titleOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path}`;

const pathOf = (endpoint: Endpoint) =>
  endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleParams(endpoint)[name] ?? '');

function expectProblem(answer: Answer<unknown>, code: ErrorCode, what?: string): Problem {
  const { problem } = answer;
  expect(problem.code, what).to.equal(code);
  expect([answer.status, problem.status]).to.deep.equal([ERRORS[code].status, ERRORS[code].status]);
  expect(answer.headers.get('content-type')).to.equal('application/problem+json');
  expect(problem.request_id).to.equal(answer.headers.get('x-request-id'));
  expect(problem.type).to.contain(code);
  return problem;
}

describe('Every endpoint', () => {
  const api = useTestApi();
  let user: Awaited<ReturnType<typeof createUser>>;
  /** Login token of the user, because some endpoints refuse API tokens. */
  let login: string;
  /** Login tokens of members of the user's workspace, by role. */
  let logins: [MemberRole, string][];
  before(async () => {
    user = await createUser();
    login = await logInAs(user.user);
    const logInWith = async (role: MemberRole): Promise<[MemberRole, string]> => {
      const member = await createMember(user.workspaceId, role);
      await UserModel.query().findById(member.user.id).patch({ default_workspace_id: user.workspaceId });
      return [role, member.token];
    };
    logins = await Promise.all(MEMBER_ROLES.map(logInWith));
  });

  /** Bodies for endpoints that refuse an empty body. */
  const NEEDED: Record<string, object> = {
    analyzeSession: { assistant_id: 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7' },
    decideSecondOpinion: { answers: {} },
    setSessionRoles: { map: null },
    updateBatch: { max_cost_usd: null },
    updateSession: { metadata: {} },
    updateMember: { role: 'analyst' },
  };

  const call = (endpoint: Endpoint, token?: string, headers = {}, params = exampleParams(endpoint)) =>
    send(api, endpoint, {
      params,
      headers,
      ...(token !== undefined && { token }),
      ...(endpoint.body && { body: NEEDED[endpoint.operationId] ?? {} }),
    });

  /** Checks each endpoint that `filter` matches. A failure names the endpoint. */
  const forEach = (title: string, filter: (endpoint: Endpoint) => unknown, check: (endpoint: Endpoint) => unknown) =>
    it(title, async () => {
      for (const endpoint of ENDPOINTS.filter(filter)) {
        try {
          await check(endpoint);
        } catch (error) {
          throw Object.assign(error as Error, { message: `${titleOf(endpoint)}: ${(error as Error).message}` });
        }
      }
    });

  it('§5.1 needs authentication, except to register, log in, recover an account and open a shared link', () => {
    const open = ENDPOINTS.filter(({ scope }) => scope === null).map(({ path }) => path);
    expect(open).to.have.members([
      ...['/v1/auth/register', '/v1/auth/login'],
      ...['/v1/auth/console-registration', '/v1/auth/console-session', '/v1/auth/invitations/preview', '/v1/shared'],
      ...['/v1/auth/password-reset', '/v1/auth/password-reset/confirm', '/v1/auth/methods'],
      ...['/v1/auth/oidc/start', '/v1/auth/oidc/callback', '/v1/auth/oidc/end', '/v1/auth/oidc/link'],
    ]);
  });

  const isProtected = ({ scope }: Endpoint) => scope !== null;
  /** Accept unknown query parameters, because single sign-on providers add their own. */
  const hasOwnQuery = ({ operationId }: Endpoint) => !['startSso', 'finishSso'].includes(operationId);
  const hasBody = ({ body }: Endpoint) => body;
  const hasParams = ({ params }: Endpoint) => params;
  /** Endpoints that stand for all others in what one place of the code does for every endpoint. */
  const isSample = ({ operationId }: Endpoint) =>
    ['listKeys', 'getSession', 'createAssistant', 'submitVoiceRequest', 'streamEvents'].includes(operationId);

  describe('authenticates', () => {
    let revoked: string;
    before(async () => {
      const { body } = await send(api, 'createKey', { token: user.token, body: { name: 'short-lived' } });
      await send(api, 'revokeKey', { token: user.token, params: { key_id: body.key_id } });
      revoked = body.token;
    });

    forEach('§5.1 401 without a token, with an invalid and with a revoked one', isProtected, async (endpoint) => {
      const garbled = `${user.token.slice(0, -1)}${user.token.endsWith('0') ? '1' : '0'}`;
      const headersOfAll = [{}, { Authorization: `Bearer ${garbled}` }, { Authorization: `Bearer ${revoked}` }];
      const others = [
        { Authorization: '' },
        { Authorization: 'Bearer' },
        { Authorization: user.token },
        { Authorization: `Basic ${btoa(`:${user.token}`)}` },
        { Authorization: `Bearer ${user.token} ${user.token}` },
        { Authorization: `Bearer ${user.token.toUpperCase()}` },
        { Authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
      ];
      for (const headers of [...headersOfAll, ...(isSample(endpoint) ? others : [])]) {
        const answer = await call(endpoint, undefined, headers);
        expectProblem(answer, 'unauthorized', JSON.stringify(headers));
        expect(answer.headers.get('www-authenticate'), JSON.stringify(headers)).to.equal('Bearer');
      }
    });

    forEach('accepts the scheme in any case, and no token in the query', isSample, async (endpoint) => {
      // A user for each endpoint, because some end the account or its tokens.
      const { token } = await createUser();
      const path = `${pathOf(endpoint)}?access_token=${token}&token=${token}`;
      expectProblem(await sendRaw(api, endpoint.method.toUpperCase(), path), 'unauthorized');
      const answer = await call(endpoint, undefined, { Authorization: `bearer ${token}` });
      expect(answer.status).not.to.equal(401);
    });
  });

  it('answers 405 and the allowed methods to any other method', async () => {
    for (const path of new Set(ENDPOINTS.map((endpoint) => endpoint.path))) {
      const here = ENDPOINTS.filter((endpoint) => endpoint.path === path);
      const methods = here.map(({ method }) => method.toUpperCase());
      const others = ['PUT', 'DELETE', 'POST', 'PATCH', 'GET', 'OPTIONS'].filter((method) => !methods.includes(method));
      for (const method of here.some(isSample) ? others : others.slice(0, 1)) {
        const answer = await sendRaw(api, method, pathOf(here[0]!), { token: user.token });
        expectProblem(answer, 'method_not_allowed', `${method} ${path}`);
        const allowed = answer.headers.get('allow')?.split(', ') ?? [];
        expect(
          allowed.filter((name) => name !== 'HEAD'),
          `${method} ${path}`,
        ).to.have.members(methods);
      }
    }
  });

  const unknown = (path: string) => errorAt(path, 'unknown_field');

  forEach('answers 422 to unknown body fields', hasBody, async (endpoint) => {
    const body = { nonsense: true, constructor: 1 };
    const answer = await send(api, endpoint, { token: login, params: exampleParams(endpoint), body });
    const { errors } = expectProblem(answer, 'validation_failed');
    expect(errors).to.deep.include(unknown('nonsense'));
    expect(errors).to.deep.include(unknown('constructor'));
  });

  forEach(
    'answers 422 to unknown query parameters, and to a cursor that it never gave',
    hasOwnQuery,
    async (endpoint) => {
      const ask = (query: Record<string, string>) =>
        send(api, endpoint, { token: login, params: exampleParams(endpoint), query });
      const { errors } = expectProblem(await ask({ nonsense: '1', limits: '2' }), 'validation_failed');
      expect(errors).to.have.deep.members([unknown('nonsense'), unknown('limits')]);
      if (!Object.hasOwn(endpoint.query?.shape ?? {}, 'cursor')) return;
      for (const cursor of ['garbled', 'other_01h455vb4pex5vsknk084sn02q']) {
        expect((await ask({ cursor })).paths, cursor).to.include('cursor');
      }
    },
  );

  it('answers 404 to an unknown path, with a token or without', async () => {
    for (const path of ['/v1/nothing', '/v2/keys', '/v1', '/', '/v1/user/me', '/v1/keys/a/b']) {
      expectProblem(await sendRaw(api, 'GET', path), 'not_found', path);
      expectProblem(await sendRaw(api, 'GET', path, { token: user.token }), 'not_found', path);
    }
  });

  /** Returns whether the endpoint is the first one whose path has IDs of this kind. */
  const isFirstOfIts = (prefix: string, endpoint: Endpoint) =>
    endpoint ===
    ENDPOINTS.find((each) => Object.values(exampleParams(each)).some((example) => example.startsWith(`${prefix}_`)));

  /** Creates a workspace with one of everything. Returns its owner, and its IDs by prefix. */
  async function createFilled() {
    const owner = await createUser();
    const created = await createAssistant(owner.workspaceId, { webhook_url: 'https://example.com/' });
    const body = { system_prompt: 'Summarize it.' };
    await send(api, 'updateAssistant', { token: owner.token, params: { id: created.id }, body });
    const assistant = await AssistantModel.query().findById(created.id).throwIfNotFound();
    const session = await createVoiceSession(assistant);
    const delivery = await createDelivery(session);
    const { body: key } = await send(api, 'createKey', { token: owner.token, body: { name: 'a' } });
    const invitation = await InvitationModel.create(
      {
        ...{ id: typeid('inv').toString(), workspace_id: owner.workspaceId, invited_by: owner.user.id },
        ...{
          email: 'a@example.com',
          role: 'analyst',
          token: owner.token,
          expires_at: new Date(Date.now() + 3_600_000),
        },
      },
      1,
    );
    const { id: ended } = await createLogin(owner.user);
    const member = await createMember(owner.workspaceId, 'analyst');
    await createCall(session);
    const batch = await createBatch(owner.workspaceId);
    await IdentityModel.link(owner.user.id, { issuer: 'https://id.example.com', subject: owner.user.id, email: null });
    const expires_at = new Date(Date.now() + 3_600_000);
    const link = {
      id: typeid('shr').toString(),
      batch_id: batch.id,
      session_id: null,
      parts: ['verdict' as const],
      expires_at,
    };
    const own = { workspace_id: owner.workspaceId, created_by: owner.user.id };
    const share = await ShareModel.create({ ...link, ...own, token: link.id }, 1);
    const [identity] = await IdentityModel.findAllOwned(owner.user.id);
    const ids = {
      ...{ asst: assistant.id, sess: session.id, dlv: delivery.id, key: key.key_id },
      ...{
        login: ended,
        bat: batch.id,
        user: member.user.id,
        inv: invitation?.id ?? '',
        idt: identity?.id ?? '',
        shr: share?.id ?? '',
      },
    };
    return { owner, ids };
  }

  let unchanged: ReturnType<typeof createFilled> | undefined;

  /** Returns the statements that `act` makes to change rows of a workspace without naming it, or the user that owns it. */
  async function findUnbound(act: () => Promise<void>): Promise<string[]> {
    const found: string[] = [];
    const onQuery = ({ sql }: { sql: string }) => {
      // Of the caller's token or login, whose last use is stored once a minute, and of this very request.
      const isOwn = /^(update "(api_keys|logins)" set "last_used|delete from "audit_intents")/.test(sql);
      const isWrite = /\b(update|delete from) "?\w/i.test(sql) && !isOwn;
      if (isWrite && !/workspace_id|user_id/.test(sql)) found.push(sql);
    };
    testDatabase().db.on('query', onQuery);
    await act().finally(() => testDatabase().db.off('query', onQuery));
    return found;
  }

  forEach(
    "answers to another workspace's ID exactly as to an unknown one for every role, and changes nothing",
    hasParams,
    async (endpoint) => {
      // Only what reads can share a workspace, because the owner's call at the end changes it.
      const filled = endpoint.method === 'get' ? (unchanged ??= createFilled()) : createFilled();
      const { owner, ids } = await filled;
      // The audit trail of the caller's own workspace contains refused requests.
      const findOwnRows = async () =>
        (await findRows([owner.workspaceId, owner.user.id, ...Object.values(ids)])).filter(
          (row) => !row.startsWith('audit_events ') || row.includes(owner.workspaceId),
        );
      const before = await findOwnRows();
      const [prefix = ''] = Object.values(exampleParams(endpoint))[0]?.split('_') ?? [];
      const people = isFirstOfIts(prefix, endpoint) ? logins : logins.filter(([role]) => role === 'owner');
      const unbound = await findUnbound(async () => {
        for (const [role, token] of [['token', user.token] as const, ...people]) {
          const scope = endpoint.scope ?? 'account:read';
          const isAllowed = role === 'token' ? TOKEN_SCOPES.includes(scope) : hasRoleScope(role, scope);
          const code = isAllowed ? 'not_found' : 'insufficient_scope';
          const missing = await call(endpoint, token);
          const foreign = await call(endpoint, token, {}, exampleParams(endpoint, ids));
          const { request_id: _missingId, ...expected } = expectProblem(missing, code, role);
          const { request_id: _foreignId, ...actual } = expectProblem(foreign, code, role);
          expect(actual).to.deep.equal(expected);
        }
      });
      expect(unbound, 'such a statement could change rows of any workspace').to.deep.equal([]);
      expect(await findOwnRows()).to.deep.equal(before);
      const own = await call(
        endpoint,
        await logInAs(owner.user),
        { Prefer: 'respond-async' },
        exampleParams(endpoint, ids),
      );
      expect(own.status).not.to.equal(404);
    },
  );

  forEach('answers 404 to an ID of another form', hasParams, async (endpoint) => {
    const [good = ''] = Object.values(exampleParams(endpoint));
    const [prefix = '', suffix = ''] = good.split('_');
    const others = [
      ...['0', suffix, good.toUpperCase(), `${prefix}_${'z'.repeat(26)}`],
      ...[`${good} `, `${good}\n`, '../keys', "' or 1=1 --", 'é'.repeat(300)],
    ];
    for (const id of ['x', `other_${suffix}`, `${good}\u0000`, ...(isFirstOfIts(prefix, endpoint) ? others : [])]) {
      const params = Object.fromEntries(Object.keys(exampleParams(endpoint)).map((name) => [name, id]));
      expectProblem(await call(endpoint, login, {}, params), 'not_found', id);
    }
  });

  forEach("returns the client's X-Request-Id", isSample, async (endpoint) => {
    for (const id of ['req_01:2.3-4', 'a', 'x'.repeat(128)]) {
      const answer = await call(endpoint, undefined, { 'X-Request-Id': id });
      expect(answer.headers.get('x-request-id')).to.equal(id);
      if (answer.status >= 400) expect(answer.problem.request_id).to.equal(id);
    }
  });

  const callOne = (operationId: string, token: string, headers = {}) =>
    call(
      ENDPOINTS.find((endpoint) => endpoint.operationId === operationId)!,
      token,
      headers,
    );

  it('generates an X-Request-Id if the client sends none or an invalid one', async () => {
    for (const id of ['', 'x'.repeat(129), 'a b', '<script>', 'é', '{"a":1}', 'a, b', '%0d%0a']) {
      const answer = await callOne('listKeys', user.token, { 'X-Request-Id': id });
      expect(answer.headers.get('x-request-id'), id).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  it('forbids caching, sniffing and framing, also of errors', async () => {
    for (const token of [user.token, 'x']) {
      const { headers } = await callOne('getCurrentUser', token);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.contain("frame-ancestors 'none'");
      expect(headers.get('access-control-allow-origin')).to.equal(null);
    }
  });
});
