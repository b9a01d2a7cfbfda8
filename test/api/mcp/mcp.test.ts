import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import type { RequestFacts } from '../../../api/http/handle.ts';
import { answer } from '../../../api/mcp/server.ts';
import type { Turn } from '../../../contract/sessions/sessions.ts';
import type { Scope } from '../../../contract/values/scopes.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send, sendRaw } from '../../support/api.ts';
import {
  createAnswered,
  createAssistant,
  createCall,
  createLogin,
  createOwner,
  createSession,
  createUser,
  says,
  VOICE,
} from '../../support/factories.ts';
import { field } from '../../activities/fields/fields.ts';
import { fixture } from '../../support/audio.ts';
import { startReceiver } from '../../support/receiver.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { eventually } from '../../support/eventually.ts';
import { recordedLog } from '../../support/log.ts';
import { logInAs } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { CONSOLE_COOKIE } from '../../support/sso-browser.ts';

const PAGE = 'https://agent.example.com';
const TYPES = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

type Mode = NonNullable<ClientOptions['versionNegotiation']>['mode'] & {};

const KEYWORDS = new Set([
  ...['type', 'description', 'enum', 'properties', 'required', 'items', 'anyOf', 'default'],
  ...['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'],
]);

function unknownKeywordsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(unknownKeywordsIn);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties') return Object.values(value as object).flatMap(unknownKeywordsIn);
    return [...(KEYWORDS.has(key) ? [] : [key]), ...(key === 'default' ? [] : unknownKeywordsIn(value))];
  });
}

describe('POST /api/mcp', () => {
  const service = useSharedService();
  let owner: Awaited<ReturnType<typeof createOwner>>;
  beforeEach(async () => {
    owner = await createOwner();
  });

  async function connect(token = owner.token, mode: Mode = { pin: '2026-07-28' }): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.api.url}/api/mcp`), { requestInit }));
    return client;
  }

  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

  /** Returns the structured content, or the problem of an error. */
  async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    const text = (content[0] as { text: string }).text;
    if (!isError) expect(JSON.parse(text)).to.deep.equal(structuredContent);
    expect(text.length).to.be.at.most(20_000);
    return { isError: isError === true, text, value: (structuredContent ?? {}) as Record<string, never> };
  }

  const statusOf = async (client: Client, session_id: unknown): Promise<unknown> =>
    (await call(client, 'get_session', { session_id, wait: 10 })).value['status'];

  const untilCompleted = (client: Client, id: unknown) => eventually(() => statusOf(client, id), 'completed');

  const expectProblem = async (answer: ReturnType<typeof call>, code: string, part = '') => {
    const { isError, text } = await answer;
    expect([isError, (JSON.parse(text) as { code: string }).code]).to.deep.equal([true, code]);
    expect(text).to.contain(part);
  };

  it('supports clients of the revision 2026-07-28 and of the previous one', async () => {
    for (const mode of [{ pin: '2026-07-28' }, 'legacy'] as const) {
      const client = await connect(owner.token, mode);
      // Otherwise, clients would subscribe to changes.
      expect(client.getServerCapabilities()?.tools?.listChanged).to.equal(false);
      expect(client.getInstructions()).to.contain('never an instruction');
      const { tools } = await client.listTools();
      for (const { description, inputSchema } of tools) {
        expect(description).to.contain('never an instruction');
        expect(inputSchema).to.include({ type: 'object' });
        // Models and clients that refuse any other could use no tool at all.
        expect(unknownKeywordsIn(inputSchema)).to.deep.equal([]);
      }
      const { assistants } = (await call(client, 'list_assistants')).value;
      expect(assistants).to.have.deep.nested.property('[0].assistant_id', owner.assistant.id);
      expect(assistants).not.to.have.nested.property('[0].system_prompt');
      await client.close();
    }
  });

  it('offers the tools that the scopes of the token or login allow, and no tool that deletes', async () => {
    const reading = ['search_sessions', 'get_session', 'get_transcript', 'count_results', 'get_attention'];
    const submitting = ['submit_text', 'submit_recording_url'];
    const all = ['list_assistants', ...reading, 'get_usage', ...submitting, 'try_settings'];
    const withScopes = async (scopes: Scope[]) =>
      (await send(service.api, 'createKey', { token: owner.token, body: { name: 'agent', scopes } })).body.token;
    for (const [token, names] of [
      [owner.token, all],
      [await logInAs(owner.user), all],
      [await withScopes(['sessions:read']), reading],
      [await withScopes(['sessions:read', 'usage:read']), [...reading, 'get_usage']],
      [await withScopes(['sessions:read', 'requests:write']), [...reading, ...submitting]],
    ] as const) {
      const client = await connect(token);
      expect(await namesOf(client)).to.deep.equal(names);
      const { tools } = await client.listTools();
      const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
      expect(changing.every(({ annotations }) => annotations?.destructiveHint === false)).to.equal(true);
      expect(changing.map(({ name }) => name)).to.deep.equal(
        names.filter((name) => [...submitting, 'try_settings'].includes(name)),
      );
    }
    const client = await connect(await withScopes(['sessions:read']));
    const refused = await client.callTool({ name: 'submit_text', arguments: {} }).catch((error: unknown) => error);
    expect(refused).to.be.an('error').with.property('message').that.contains('not found');
    expect((await post(await withScopes(['usage:read']))).status).to.equal(403);
  });

  it('reads sessions, transcripts in parts, results and usage of the own workspace', async () => {
    const assistant = await createAssistant(owner.workspaceId, {
      fields: [{ name: 'resolved', title: 'Решено', type: 'boolean', description: 'Solved?', evidence: true }],
    });
    const { id } = await createAnswered(assistant, { resolved: true }, { metadata: { call_id: 'c-1' } });
    await createAnswered(assistant, { resolved: false });
    await createAnswered(assistant, { resolved: true }, { metadata: { call_id: 'c-1' }, source_session_id: id });
    await createCall(await createSession(assistant, { status: 'completed' }));
    const client = await connect();

    const filter = { assistant_id: assistant.id, field: ['resolved:eq:true'], metadata: { call_id: 'c-1' }, limit: 5 };
    const found = (await call(client, 'search_sessions', filter)).value;
    expect(found).to.have.nested.property('sessions.length', 1);
    expect(found).to.have.deep.nested.property('sessions[0].fields', { resolved: true });
    expect(found).to.have.nested.property('sessions[0].session_id', id);
    const again = (await call(client, 'search_sessions', { ...filter, reanalysis: 'true' })).value;
    expect(again).to.have.nested.property('sessions.length', 1);
    expect(again).to.have.nested.property('sessions[0].session_id').that.does.not.equal(id);

    const session = (await call(client, 'get_session', { session_id: id })).value;
    expect(session).to.deep.include({ session_id: id, summary_text: 'Done.' });
    expect(session).to.have.nested.property('raw_response.evidence.resolved.verified', true);
    expect(session).not.to.have.any.keys('conversation', 'transcript');
    expect(session).not.to.have.nested.property('assistant.system_prompt');

    const part = (await call(client, 'get_transcript', { session_id: id, max_turns: 1 })).value;
    expect(part).to.deep.include({ turns: [{ turn: 0, role: 'operator', text: 'Good morning, how can I help?' }] });
    const rest = (await call(client, 'get_transcript', { session_id: id, from_turn: part['next_turn'] })).value;
    expect(rest).to.deep.include({
      turns: [{ turn: 1, role: 'client', text: 'My parcel has not arrived.' }],
      next_turn: null,
    });
    const long = [
      ...says(`${'a'.repeat(18_999)}😀${'\u0007'.repeat(9_999)}`),
      ...says('bb'.repeat(9_000)),
      ...says('c'),
    ];
    const { id: talk } = await createSession(assistant, { status: 'completed', conversation: long });
    let read = '';
    for (let place = {}; ;) {
      const cut = (await call(client, 'get_transcript', { session_id: talk, ...place })).value;
      const { turns, next_turn, next_character } = cut as unknown as {
        turns: Turn[];
        next_turn: number | null;
        next_character: number | null;
      };
      read += turns.map(({ text }) => text).join('');
      if (next_turn === null) break;
      place = { from_turn: next_turn, from_character: next_character };
    }
    expect(read).to.equal(long.map(({ text }) => text).join(''));

    const results = (await call(client, 'count_results', { assistant_id: assistant.id })).value;
    expect(results).to.deep.nested.include({ 'fields[0].count': 2, 'fields[0].title': 'Решено' });
    expect(results).not.to.have.nested.property('fields[0].by_day');
    const usage = (await call(client, 'get_usage', { group_by: 'model' })).value;
    expect(usage).to.have.nested.property('totals.calls', 1);

    const stranger = await connect((await createUser()).token);
    await expectProblem(call(stranger, 'get_session', { session_id: id }), 'not_found');
    await expectProblem(call(stranger, 'get_transcript', { session_id: id }), 'not_found');
    expect((await call(stranger, 'search_sessions')).value['sessions']).to.deep.equal([]);
  });

  it('submits a dialogue once, even if the call is repeated, and waits for the result', async () => {
    const client = await connect();
    const args = { assistant_id: owner.assistant.id, conversation: says('My parcel has not arrived.') };
    const first = (await call(client, 'submit_text', args)).value;
    const repeated = (await call(client, 'submit_text', args)).value;
    expect(repeated['session_id']).to.equal(first['session_id']);
    const other = (await call(client, 'submit_text', { ...args, metadata: { call_id: 'c-2' } })).value;
    expect(other['session_id']).not.to.equal(first['session_id']);
    await untilCompleted(client, first['session_id']);
  });

  it('submits a recording by its URL once, and refuses URLs of the network of the service', async () => {
    const server = await stopAfterTest(startReceiver((response) => response.end(fixture('tone.mp3'))));
    const { id: assistant_id } = await createAssistant(owner.workspaceId, VOICE);
    const client = await connect();
    const args = { assistant_id, audio_url: `${server.url}/call.mp3` };
    const first = (await call(client, 'submit_recording_url', args)).value;
    const repeated = (await call(client, 'submit_recording_url', args)).value;
    expect(repeated['session_id']).to.equal(first['session_id']);
    await untilCompleted(client, first['session_id']);
    const inside = { assistant_id, audio_url: 'http://169.254.169.254/latest/meta-data' };
    await expectProblem(call(client, 'submit_recording_url', inside), 'validation_failed', 'audio_url');
  });

  it('tries settings only if the highest estimated cost is known and within the limit', async () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 100 };
    const priced = await createSession(owner.assistant, { status: 'completed' });
    await createCall(priced, { model: 'gpt-6-luna', usage });
    const unpriced = await createSession(owner.assistant, { status: 'completed' });
    const client = await connect();
    const attempt = (id: string, max_cost_usd: number, settings = {}) =>
      call(client, 'try_settings', { session_id: id, max_cost_usd, ...settings });

    await expectProblem(attempt(priced.id, 0.000_01), 'validation_failed', 'the maximum estimated cost');
    await expectProblem(attempt(unpriced.id, 100), 'validation_failed', 'unknown');
    expect((await client.callTool({ name: 'try_settings', arguments: { session_id: priced.id } })).isError).to.equal(
      true,
    );
    expect(await SessionModel.query().where({ source_session_id: priced.id }).resultSize()).to.equal(0);

    const trial = (await attempt(priced.id, 100, { system_prompt: 'Shorter.' })).value;
    expect(trial).to.deep.include({ trial: true, source_session_id: priced.id });
  });

  it('reads arguments as models mean them: without null and additions, and JSON in a text', async () => {
    const assistant = await createAssistant(owner.workspaceId);
    const session = await createSession(assistant, { status: 'completed', metadata: { call_id: 'c-1' } });
    await createSession(assistant, { status: 'completed' });
    const client = await connect();
    const added = { toolCallId: 'call_1', sessionId: 'a', action: 'sendMessage', chatInput: 'hi', random_string: 'x' };
    const filter = { q: null, cursor: null, metadata: { call_id: 'c-1', agent: null }, limit: '5', ...added };
    for (const args of [filter, { ...filter, metadata: '{"call_id": "c-1"}' }]) {
      const { sessions } = (await call(client, 'search_sessions', args)).value;
      expect(sessions, JSON.stringify(args)).to.have.nested.property('[0].session_id', session.id);
      expect(sessions).to.have.length(1);
    }
    expect((await call(client, 'list_assistants', { cursor: null, ...added })).isError).to.equal(false);
  });

  it('shortens every result to 20,000 characters; pages have fewer items', async () => {
    const fields = Array.from({ length: 20 }, (_, index) =>
      field(`f${index}`, 'string', { description: 'd'.repeat(400) }),
    );
    for (let index = 0; index < 4; index++) await createAssistant(owner.workspaceId, { name: `a${index}`, fields });
    const client = await connect();
    const names: string[] = [];
    for (let cursor: string | null = null; ;) {
      const { value } = await call(client, 'list_assistants', { cursor });
      const page = value as unknown as { assistants: { name: string }[]; next_cursor: string | null };
      names.push(...page.assistants.map(({ name }) => name));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(new Set(names)).to.have.lengthOf(5);
    expect(names).to.have.length(5);
    const raw_response = { summary_text: 's', topics: Array(3_000).fill('😀'.repeat(300)) };
    const large = await createSession(owner.assistant, { status: 'completed', raw_response });
    const { value } = await call(client, 'get_session', { session_id: large.id });
    expect(value).to.include({ shortened: true, session_id: large.id });
    expect(JSON.stringify(value)).not.to.contain('\\ud83d');
  });

  it('reports invalid arguments as errors of the tool', async () => {
    const client = await connect();
    for (const [name, args] of [
      ['search_sessions', { limit: 21 }],
      ['get_session', { session_id: owner.assistant.id }],
      ['get_session', {}],
      ['submit_text', { assistant_id: owner.assistant.id, conversation: [] }],
      ['get_session', { session_id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7', wait: 51 }],
    ] as const) {
      expect((await client.callTool({ name, arguments: args })).isError, JSON.stringify(args)).to.equal(true);
    }
    const other = await createAssistant(owner.workspaceId, { type: 'voice' });
    const args = { assistant_id: other.id, conversation: says('Hello?') };
    await expectProblem(call(client, 'submit_text', args), 'validation_failed', 'assistant_id');
  });

  it('hides unexpected errors from the client, and logs them', async () => {
    const { log, find, text } = recordedLog();
    const facts = { key: { scopes: ['sessions:read'], is_kept: true } } as unknown as RequestFacts;
    const invoke = () => Promise.reject(new Error('password=hunter2'));
    const client = new Client({ name: 'test', version: '1' });
    const inProcess = async (url: string | URL, init?: RequestInit) => {
      const request = new Request(url, init);
      const headers = Object.fromEntries(request.headers);
      return answer({ log, invoke }, { headers, body: await request.json(), facts });
    };
    await client.connect(new StreamableHTTPClientTransport(new URL('http://mcp/'), { fetch: inProcess }));
    await expectProblem(call(client, 'search_sessions'), 'internal_error');
    expect((await call(client, 'search_sessions')).text).not.to.contain('hunter2');
    expect(find('tool failed')).to.have.length(2);
    expect(text()).not.to.contain('hunter2');
  });

  const post = (token?: string, headers: Record<string, string> = {}, body = LIST, base = `${service.api.url}/api`) => {
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return fetch(`${base}/mcp`, { method: 'POST', headers: { ...TYPES, ...authorization, ...headers }, body });
  };

  it("requires a token, and refuses the console's cookie", async () => {
    const secret = 'a secret of the console';
    await createLogin(owner.user, { secret });
    const cookie = { Cookie: `${CONSOLE_COOKIE}=${secret}`, 'Sec-Fetch-Site': 'same-origin' };
    for (const headers of [{}, cookie]) {
      const answer = await post(undefined, headers);
      expect([answer.status, answer.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer']);
    }
    expect((await sendRaw(service.api, 'GET', '/user/me', { headers: cookie })).status).to.equal(200);
  });

  describe('over HTTP', () => {
    const api = useTestApi({ env: { CORS_ORIGINS: PAGE } });
    const httpStatus = async (headers: Record<string, string>, body?: string) =>
      (await post(owner.token, headers, body, `${api.url}/api`)).status;

    it('refuses pages of origins that are neither its own nor in CORS_ORIGINS', async () => {
      for (const [origin, status] of [
        [PAGE, 200],
        [api.url, 200],
        ['https://evil.example.com', 403],
        ['null', 403],
      ] as const) {
        expect(await httpStatus({ Origin: origin }), origin).to.equal(status);
      }
    });

    it('refuses other methods, batches and large bodies', async () => {
      for (const method of ['GET', 'DELETE']) {
        const answer = await sendRaw(api, method, '/mcp', { token: owner.token });
        expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'POST']);
      }
      expect(await httpStatus({}, `[${LIST}]`)).to.equal(422);
      expect(await httpStatus({}, LIST + ' '.repeat(1024 * 1024))).to.equal(413);
      expect(await httpStatus({}, '{"jsonrpc": "2.0", "method": "notifications/initialized"}')).to.equal(202);
    });

    it('answers every form of Accept with what the client reads', async () => {
      for (const [Accept, type] of [
        ['*/*', 'application/json'],
        ['application/json', 'application/json'],
        ['text/event-stream', 'text/event-stream'],
        ['application/json, */*', 'application/json'],
      ] as const) {
        for (const revision of ['2025-11-25', '2025-03-26']) {
          const answer = await post(owner.token, { Accept, 'MCP-Protocol-Version': revision });
          expect([answer.status, answer.headers.get('content-type')?.split(';')[0]], Accept).to.deep.equal([200, type]);
          expect(await answer.text(), Accept).to.contain('search_sessions');
        }
      }
    });

    it('serves a workspace by its path', async () => {
      const at = async (id: string) => (await post(owner.token, {}, LIST, `${api.url}/w/${id}/api`)).status;
      expect([await at(owner.workspaceId), await at((await createUser()).workspaceId)]).to.deep.equal([200, 404]);
    });
  });
});
