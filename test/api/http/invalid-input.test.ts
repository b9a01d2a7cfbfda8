import { connect } from 'node:net';
import type { Endpoint } from '../../../contract/values/endpoint.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { bodyLimitOf } from '../../../contract/values/endpoint.ts';
import type { ErrorCode } from '../../../contract/errors/errors.ts';
import { ProblemSchema, type Problem } from '../../../contract/errors/problem.ts';
import { sendRaw } from '../../support/api.ts';
import { exampleParams } from '../../support/example-params.ts';
import { createAssistant, createBatch, createSession, createUser, PASSWORD } from '../../support/factories.ts';
import { recordedLog } from '../../support/log.ts';
import { logInAs } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A valid body for each endpoint. `"HERE"` is a text field that clients fill. */
const BODIES: Record<string, (assistantId: string) => object> = {
  register: () => ({ email: 'ada@example.com', password: PASSWORD, name: 'HERE' }),
  login: () => ({ email: 'ada@example.com', password: 'HERE' }),
  openConsoleSession: () => ({ email: 'ada@example.com', password: 'HERE' }),
  registerInConsole: () => ({ email: 'ada@example.com', password: PASSWORD, name: 'HERE' }),
  updateCurrentUser: () => ({ name: 'HERE' }),
  deleteCurrentUser: () => ({ current_password: 'HERE' }),
  changePassword: () => ({ current_password: PASSWORD, new_password: 'HERE' }),
  confirmEmail: () => ({ token: 'HERE' }),
  confirmPasswordReset: () => ({ token: 'HERE', new_password: PASSWORD }),
  requestEmailLink: () => ({ email: 'HERE' }),
  requestPasswordReset: () => ({ email: 'HERE' }),
  confirmSecondFactor: () => ({ code: 'HERE' }),
  proveIdentity: () => ({ code: 'HERE' }),
  linkSso: () => ({ password: 'HERE' }),
  startSsoAction: () => ({ intent: 'HERE' }),
  setGroupRoles: () => ({ data: [{ group: 'HERE', role: 'analyst' }] }),
  createWorkspace: () => ({ name: 'HERE' }),
  updateWorkspace: () => ({ name: 'HERE' }),
  deleteWorkspace: () => ({ current_password: 'HERE' }),
  updateMember: () => ({ role: 'HERE' }),
  createInvitation: () => ({ email: 'HERE', role: 'analyst' }),
  previewInvitation: () => ({ token: 'HERE' }),
  acceptInvitation: () => ({ token: 'HERE' }),
  createKey: () => ({ name: 'HERE' }),
  rollKey: () => ({ overlap_hours: 'HERE' }),
  createAssistant: () => ({ name: 'a', type: 'text', llm_provider: 'openai', system_prompt: 'HERE' }),
  updateAssistant: () => ({ description: 'HERE' }),
  createBatch: () => ({ action: 'retry', filter: { q: 'HERE' } }),
  updateBatch: () => ({ max_cost_usd: 'HERE' }),
  reanalyzeSession: () => ({ system_prompt: 'HERE' }),
  analyzeSession: () => ({ assistant_id: 'HERE' }),
  putSessionReview: () => ({ note: 'HERE' }),
  putSecondOpinion: () => ({ answers: { resolved: { value: 'HERE' } } }),
  decideSecondOpinion: () => ({ answers: { resolved: 'HERE' } }),
  retrySession: () => ({ audio_url: 'HERE' }),
  setSessionRoles: () => ({ map: { speaker: 'HERE' } }),
  updateSession: () => ({ metadata: { call_id: ['HERE'] } }),
  trySession: () => ({ fallback: ['HERE'] }),
  createShare: () => ({ batch_id: `bat_${'0'.repeat(26)}`, parts: ['HERE'] }),
  openShare: () => ({ token: 'HERE' }),
  submitTextRequest: (assistant_id) => ({ assistant_id, conversation: [{ role: 'client', text: 'HERE' }] }),
  submitVoiceRequest: (assistant_id) => ({ assistant_id, audio_url: 'https://example.com/', file_name: 'HERE' }),
};

/** Values in JSON that no text field accepts. */
const VALUES: Record<string, [string, ErrorCode]> = {
  NUL: ['"a\\u0000b"', 'validation_failed'],
  'a lone high surrogate': ['"a\\ud800"', 'validation_failed'],
  'a lone low surrogate': ['"\\udc00a"', 'validation_failed'],
  'surrogates the wrong way round': ['"\\udc00\\ud800"', 'validation_failed'],
  '1e400': ['1e400', 'validation_failed'],
  '-1e400': ['-1e400', 'validation_failed'],
  'an integer beyond doubles': ['9007199254740993', 'validation_failed'],
  true: ['true', 'validation_failed'],
  'a list': ['["a"]', 'validation_failed'],
  'an object': ['{"a":1}', 'validation_failed'],
  'a raw NUL byte': ['"a\u0000b"', 'malformed_request'],
  'a raw line break': ['"a\nb"', 'malformed_request'],
  'a text without its end': ['"a', 'malformed_request'],
  NaN: ['NaN', 'malformed_request'],
  'nesting of 33': [`${'['.repeat(33)}${']'.repeat(33)}`, 'malformed_request'],
  'nesting of 100,000': [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'malformed_request'],
  'objects nested 100,000 deep': [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'malformed_request'],
};

/** Complete bodies that no endpoint accepts. */
const WHOLE: Record<string, [string | Uint8Array<ArrayBuffer>, Record<string, string>, ErrorCode]> = {
  'no body': ['', JSON_TYPE, 'malformed_request'],
  blanks: ['  \n', JSON_TYPE, 'malformed_request'],
  'a list': ['[]', JSON_TYPE, 'validation_failed'],
  'a text': ['"{}"', JSON_TYPE, 'validation_failed'],
  'a number': ['1e400', JSON_TYPE, 'validation_failed'],
  null: ['null', JSON_TYPE, 'validation_failed'],
  'half an object': ['{"name": "a"', JSON_TYPE, 'malformed_request'],
  'two objects': ['{}{}', JSON_TYPE, 'malformed_request'],
  'a trailing comma': ['{"name":"a",}', JSON_TYPE, 'malformed_request'],
  'a comment': ['{} // a', JSON_TYPE, 'malformed_request'],
  'nesting of 100,000': ['['.repeat(100_000), JSON_TYPE, 'malformed_request'],
  'invalid UTF-8': [Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), JSON_TYPE, 'malformed_request'],
  'a surrogate encoded in UTF-8': [Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]), JSON_TYPE, 'malformed_request'],
  'UTF-16': [new Uint8Array(Buffer.from('{}', 'utf16le')), JSON_TYPE, 'malformed_request'],
  __proto__: ['{"__proto__":{"name":"a","email":"a@b.cd"}}', JSON_TYPE, 'validation_failed'],
  'a compressed body': ['{}', { ...JSON_TYPE, 'Content-Encoding': 'br' }, 'unsupported_media_type'],
  'a body said to be compressed twice': [
    '{}',
    { ...JSON_TYPE, 'Content-Encoding': 'gzip, x' },
    'unsupported_media_type',
  ],
  'no Content-Type': [new TextEncoder().encode('{}'), {}, 'unsupported_media_type'],
  'text/plain': ['{}', { 'Content-Type': 'text/plain' }, 'unsupported_media_type'],
  'a form': ['name=a', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'unsupported_media_type'],
  multipart: ['--', { 'Content-Type': 'multipart/form-data' }, 'unsupported_media_type'],
  latin1: ['{}', { 'Content-Type': 'application/json; charset=latin1' }, 'unsupported_media_type'],
  'utf-16': ['{}', { 'Content-Type': 'application/json; charset=utf-16' }, 'unsupported_media_type'],
  'garbage as Content-Type': ['{}', { 'Content-Type': ';;;=,' }, 'unsupported_media_type'],
};

describe('Invalid input', () => {
  const { log, text } = recordedLog();
  const api = useTestApi({ log });
  let token: string;
  let assistantId: string;
  let sessionId: string;
  let batchId: string;
  before(async () => {
    const owner = await createUser();
    token = await logInAs(owner.user);
    const assistant = await createAssistant(owner.workspaceId);
    assistantId = assistant.id;
    sessionId = (await createSession(assistant)).id;
    batchId = (await createBatch(owner.workspaceId)).id;
  });
  // Detects unexpected errors that were returned as a 4xx, and errors that ended the process.
  afterEach(async () => {
    expect((await sendRaw(api, 'GET', '/user/me', { token })).status).to.equal(200);
    expect(text()).not.to.contain('"request failed"');
  });

  const post = (endpoint: Endpoint, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) => {
    const ids = exampleParams(endpoint, { sess: sessionId, bat: batchId, asst: assistantId });
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    return sendRaw(api, endpoint.method.toUpperCase(), path, { token, body, headers });
  };

  /** Endpoints that stand for all others in what one place of the code does with every body; their limits differ. */
  const SAMPLES = ['createAssistant', 'login', 'submitTextRequest'];
  const withBody = ENDPOINTS.filter(({ body }) => body);

  it('is tested on every endpoint with a body', () => {
    expect(Object.keys(BODIES)).to.have.members(withBody.map(({ operationId }) => operationId));
  });

  for (const endpoint of withBody) {
    it(`is refused with a 4xx by ${endpoint.method.toUpperCase()} ${endpoint.path}`, async () => {
      const limit = bodyLimitOf(endpoint);
      const codeOf = (body: string | Uint8Array, code: ErrorCode) => (body.length > limit ? 'payload_too_large' : code);
      const body = JSON.stringify(BODIES[endpoint.operationId]?.(assistantId));
      const isSample = SAMPLES.includes(endpoint.operationId);
      for (const [what, [value, code]] of Object.entries(VALUES)) {
        if (code === 'malformed_request' && !isSample) continue;
        const { problem } = await post(endpoint, body.replace('"HERE"', value), JSON_TYPE);
        expect(problem.code, `${what} as the value of a field`).to.equal(codeOf(value, code));
      }
      for (const [what, [whole, headers, code]] of Object.entries(WHOLE)) {
        if (code !== 'validation_failed' && what !== 'half an object' && !isSample) continue;
        expect((await post(endpoint, whole, headers)).problem.code, what).to.equal(codeOf(whole, code));
      }
      const tooLarge = JSON.stringify({ name: 'x'.repeat(limit) });
      expect((await post(endpoint, tooLarge, JSON_TYPE)).problem.code).to.equal('payload_too_large');
    });
  }

  it('does not include JSON with its other media types', async () => {
    for (const type of ['application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/vnd.api+json']) {
      const headers = { 'Content-Type': type, 'Content-Encoding': 'identity' };
      const answer = await sendRaw(api, 'PATCH', '/user/me', { token, body: '{"name":"Ada"}', headers });
      expect(answer.status, type).to.equal(200);
    }
  });

  it('is refused in a query', async () => {
    const limits = ['0', '201', '-1', '1.5', '1e400', '%00', '1&limit=2', '', 'a'];
    const cursors = [
      '%00',
      'AAAA',
      '%ed%a0%80',
      '%ff',
      'a'.repeat(200),
      '%27%3B--',
      'gICA',
      'dlv_01kaj4v5rzf1xtm8w3b2c9d0e7',
    ];
    for (const path of ['/v1/sessions', '/v1/keys', '/v1/assistants']) {
      for (const limit of limits) {
        expect((await sendRaw(api, 'GET', `${path}?limit=${limit}`, { token })).paths[0], limit).to.equal('limit');
      }
      for (const cursor of cursors) {
        const answer = await sendRaw(api, 'GET', `${path}?limit=1&cursor=${cursor}`, { token });
        expect(answer.paths[0], cursor).to.equal('cursor');
      }
    }
  });

  it('is refused in a path', async () => {
    for (const id of ['%00', '%ff', '%ed%a0%80', '%', '%zz', '%2e%2e', 'a'.repeat(10_000)]) {
      const { problem } = await sendRaw(api, 'GET', `/v1/sessions/${id}`, { token });
      expect(problem.code, id).to.be.oneOf(['not_found', 'malformed_request']);
    }
  });
});

describe('Invalid HTTP', () => {
  const api = useTestApi();
  let token: string;
  before(async () => {
    token = (await createUser()).token;
  });
  afterEach(async () => expect((await fetch(`${api.url}/healthz`)).status).to.equal(200));

  /** Sends the bytes and reads until the server closes. */
  async function exchange(bytes: string, { thenEnd = false } = {}): Promise<{ status: number; problem: Problem }> {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(bytes, 'latin1');
    if (thenEnd) socket.end();
    let answer = '';
    for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head.toLowerCase()).to.contain('content-type: application/problem+json');
    expect(head.toLowerCase()).to.contain('connection: close');
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), problem: ProblemSchema.parse(JSON.parse(body)) };
  }

  const get = (lines: string) => `GET /api/user/me HTTP/1.1\r\n${lines}\r\n`;

  it('gets a problem document, and the connection is closed', async () => {
    const host = 'Host: localhost\r\n';
    const chunked = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
    for (const [what, bytes] of Object.entries({
      noise: 'hello\r\n\r\n',
      TLS: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      'an unknown method': `BREW /api/user/me HTTP/1.1\r\n${host}\r\n`,
      'a NUL in a header': get(`${host}X-A: a\u0000b\r\n`),
      'a bare line feed in a header': get(`${host}X-A: a\n\rb\r\n`),
      'a blank before the colon': get(`${host}Content-Length : 3\r\n`),
      'two lengths': get(`${host}Content-Length: 3\r\nContent-Length: 4\r\n`),
      'a length and chunks': get(`${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n`),
      'a length that is not a number': get(`${host}Content-Length: 0x10\r\n`),
      'invalid chunks': `PATCH /api/user/me HTTP/1.1\r\n${host}${chunked}\r\nzz\r\n{}\r\n0\r\n\r\n`,
    })) {
      const { status, problem } = await exchange(bytes);
      expect([status, problem.status, problem.code], what).to.deep.equal([400, 400, 'malformed_request']);
    }
    const { status, problem } = await exchange(get(`${host}X-A: ${'a'.repeat(20_000)}\r\n`));
    expect([status, problem.status, problem.code]).to.deep.equal([431, 431, 'headers_too_large']);
  });

  it('changes nothing when a body ends before its length', async () => {
    const head = `PATCH /api/user/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.end(`${head}Content-Length: 100\r\n\r\n{"name":"Mallory"}`);
    let answer = '';
    for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk);
    expect(answer).not.to.match(/^HTTP\/1\.1 (2|5)/);
    const me = await fetch(`${api.url}/api/user/me`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await me.json()).to.include({ name: 'Ada' });
  });
});
