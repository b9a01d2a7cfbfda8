import { once } from 'node:events';
import { connect } from 'node:net';
import { typeid } from 'typeid-js';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { sumTextBytes } from '../../../db/queries/owner-limits.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { requeueSession } from '../../../db/queries/session-status.ts';
import { testDatabase, useConnections } from '../../support/database.ts';
import { send, type Answer } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import {
  createAssistant,
  createSession,
  createUser,
  PASSWORD,
  says,
  TEXT_SETTINGS,
  VOICE,
} from '../../support/factories.ts';
import { createPerson, join, type Person } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const TEXT = 'x'.repeat(40_000);

/** An assistant in a workspace, and a login of its owner. */
interface Place {
  token: string;
  assistant: AssistantModel;
}

/** An API with small limits. The token of a test counts as one of its tokens. */
describe('Limits', () => {
  useConnections();
  const api = useTestApi({
    env: {
      MAX_OPEN_SESSIONS_PER_WORKSPACE: '2',
      MAX_STORED_AUDIO_MIB_PER_WORKSPACE: '1',
      DEFAULT_MONTHLY_BUDGET_USD: '5',
      MAX_MONTHLY_BUDGET_USD: '10',
      ALLOWED_MODELS: 'openai/gpt-6-luna, whisper/*',
    },
    adjust: ({ http, quotas }) => {
      http.eventStreams = 2;
      Object.assign(quotas, { assistants: 2, assistantBytes: 1_000, apiKeys: 2, storedTextBytes: 2 * TEXT.length });
    },
  });

  describe('of a user', () => {
    let token: string;
    beforeEach(async () => {
      token = (await createUser()).token;
    });

    const create = () => send(api, 'createAssistant', { token, body: TEXT_SETTINGS });
    const statuses = (answers: Answer<unknown>[]) => answers.map(({ status }) => status).sort();

    it('Assistants: the limit holds for concurrent creations and copies, per user, until one is deleted', async () => {
      const first = (await create()).body;
      const copy = () => send(api, 'duplicateAssistant', { token, params: { id: first.id } });
      const answers = await Promise.all([create(), copy(), create(), copy()]);
      expect(statuses(answers)).to.deep.equal([201, 409, 409, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.problem).to.include({ code: 'quota_exceeded' });
      expect(refused?.problem.detail).to.contain('2 assistants');
      expect((await send(api, 'listAssistants', { token })).body.data).to.have.length(2);
      const other = { token: (await createUser()).token, body: TEXT_SETTINGS };
      expect((await send(api, 'createAssistant', other)).status, 'another user').to.equal(201);
      await send(api, 'deleteAssistant', { token, params: { id: first.id } });
      expect((await create()).status).to.equal(201);
    });

    it('API tokens: the limit holds for concurrent creations, until one is revoked', async () => {
      const issue = () => send(api, 'createKey', { token, body: { name: 'k' } });
      const before = (await send(api, 'listKeys', { token })).body.data.length;
      const answers = await Promise.all([issue(), issue(), issue()]);
      expect(answers.filter(({ status }) => status === 201)).to.have.length(2 - before);
      expect(answers.find(({ status }) => status === 409)?.problem).to.include({ code: 'quota_exceeded' });
      const { data } = (await send(api, 'listKeys', { token })).body;
      expect(data).to.have.length(2);
      const made = answers.find(({ status }) => status === 201)?.body as { key_id: string };
      await send(api, 'revokeKey', { token, params: { key_id: made.key_id } });
      expect((await issue()).status).to.equal(201);
    });

    it('Bytes of prompts and fields: the limit holds for new, copied, changed and restored assistants', async () => {
      const body = { ...TEXT_SETTINGS, system_prompt: 'x'.repeat(600) };
      const { id, version } = (await send(api, 'createAssistant', { token, body })).body;
      const change = (system_prompt: string) =>
        send(api, 'updateAssistant', { token, params: { id }, body: { system_prompt } });
      const restore = () => send(api, 'restoreAssistantVersion', { token, params: { id, version: String(version) } });
      const copy = () => send(api, 'duplicateAssistant', { token, params: { id } });
      expect((await copy()).problem.detail).to.contain('prompts and questions');
      expect((await change('x'.repeat(1_001))).problem).to.include({ status: 409, code: 'quota_exceeded' });
      const fields = [{ name: 'a', type: 'string', description: 'x'.repeat(450) }];
      expect((await send(api, 'updateAssistant', { token, params: { id }, body: { fields } })).status).to.equal(409);
      expect((await send(api, 'listAssistants', { token })).body.data).to.have.length(1);
      expect((await change('short')).status).to.equal(200);
      const other = (await send(api, 'createAssistant', { token, body: { ...body, system_prompt: 'y'.repeat(900) } }))
        .body;
      expect((await restore()).problem.code).to.equal('quota_exceeded');
      await send(api, 'deleteAssistant', { token, params: { id: other.id } });
      expect((await restore()).status).to.equal(200);
    });
  });

  describe('Threat: a person with several workspaces has no more than one with a single workspace:', () => {
    let one: Place;
    let two: Place;
    let stranger: Place;
    const ended: (() => void)[] = [];
    let person: Person;
    beforeEach(async () => {
      person = await createPerson();
      const { id } = await WorkspaceModel.query().insert({ id: typeid('ws').toString(), name: 'Second' });
      await join(id, person, 'owner');
      const other = await createPerson();
      one = { token: person.token, assistant: await createAssistant(person.workspaceId) };
      two = { token: person.token, assistant: await createAssistant(id) };
      stranger = { token: other.token, assistant: await createAssistant(other.workspaceId) };
    });
    afterEach(() => ended.splice(0).forEach((end) => end()));

    const submit = ({ token, assistant }: Place, text = 'Hello.') =>
      send(api, 'submitTextRequest', {
        token,
        workspace: assistant.workspace_id,
        headers: { Prefer: 'respond-async' },
        body: { assistant_id: assistant.id, conversation: says(text) },
      });

    /** Sends a request, and reads the head of its response only. */
    async function open({ token, assistant }: Place, path: string): Promise<number> {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
      ended.push(() => socket.destroy());
      socket.write(
        `GET /w/${assistant.workspace_id}/api/v1/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      const [head] = (await once(socket, 'data')) as [Buffer];
      socket.pause();
      return Number(/ (\d{3})/.exec(head.toString())?.[1]);
    }

    const LIMITS: Record<
      string,
      { use(place: Place): Promise<unknown>; status(place: Place): Promise<number>; full: number; isOfRows?: true }
    > = {
      'unfinished sessions': {
        use: ({ assistant }) => createSession(assistant),
        status: async (place) => (await submit(place)).status,
        full: 429,
        isOfRows: true,
      },
      'stored conversations': {
        use: ({ assistant }) => createSession(assistant, { status: 'completed', conversation: says(TEXT) }),
        status: async (place) => (await submit(place)).status,
        full: 409,
        isOfRows: true,
      },
      'stored recordings': {
        async use({ assistant }) {
          const voice = await createAssistant(assistant.workspace_id, VOICE);
          const { id, audio } = await createVoiceSession(voice, { status: 'completed' });
          await SessionModel.query()
            .findById(id)
            .patch({ audio: { ...audio!, bytes: 600_000 } });
        },
        async status({ token, assistant }) {
          const { id } = await createAssistant(assistant.workspace_id, VOICE);
          const body = JSON.stringify({ assistant_id: id, audio_url: 'http://127.0.0.1/call.mp3' });
          const headers = {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            Prefer: 'respond-async',
          };
          const { status } = await fetch(`${api.url}/w/${assistant.workspace_id}/api/v1/requests/voice`, {
            method: 'POST',
            headers,
            body,
          });
          return status;
        },
        full: 409,
        isOfRows: true,
      },
      'event streams': {
        use: (place) => open(place, 'events'),
        status: async (place) => ((await open(place, 'events')) === 200 ? 202 : 429),
        full: 429,
      },
      exports: {
        async use(place) {
          const conversation = Array.from({ length: 90 }, () => ({ role: 'client', text: 'x'.repeat(100_000) }));
          await createSession(place.assistant, { conversation, status: 'completed' });
          await open(place, 'exports/sessions?format=jsonl&include=conversation');
        },
        status: async (place) => ((await open(place, 'exports/sessions?format=jsonl')) === 200 ? 202 : 429),
        full: 429,
      },
    };

    for (const [what, { use, status, full, isOfRows = false }] of Object.entries(LIMITS)) {
      it(`${what} are counted in all workspaces of their owner`, async () => {
        await use(one);
        await use(two);
        expect([await status(one), await status(two), await status(stranger)]).to.deep.equal([full, full, 202]);
        const { workspace_id } = two.assistant;
        await MembershipModel.query().delete().where({ workspace_id, role: 'owner' });
        if (isOfRows) expect(await status(one), 'after the owner has left the other workspace').to.equal(202);
      });
    }

    it('stored conversations of each kind count until they are deleted, also when they change', async () => {
      const bytes = () => sumTextBytes(one.assistant.workspace_id);
      const sizeOf = (text: string) => Buffer.byteLength(JSON.stringify(says(text)));
      const about = (size: number) => [size, 1.01 * size] as const;
      const before = await bytes();
      const { id } = await createSession(one.assistant, { status: 'completed', conversation: says(TEXT) });
      expect((await bytes()) - before).to.be.within(...about(sizeOf(TEXT)));
      const voice = await createAssistant(two.assistant.workspace_id, VOICE);
      const recorded = await createVoiceSession(voice, { conversation: null });
      await SessionModel.query()
        .findById(recorded.id)
        .patch({ conversation: says(TEXT) });
      expect((await bytes()) - before, 'a transcript').to.be.within(...about(2 * sizeOf(TEXT)));
      const again = { token: person.token, params: { id }, body: {}, headers: { Prefer: 'respond-async' } };
      expect((await send(api, 'reanalyzeSession', again)).problem).to.include({ status: 409, code: 'quota_exceeded' });
      await send(api, 'deleteSession', { token: person.token, params: { id } });
      expect((await bytes()) - before, 'after a deletion').to.be.within(...about(sizeOf(TEXT)));
      expect((await submit(one)).status).to.equal(202);
      await testDatabase().db.raw('delete from workspaces where id = ?', [voice.workspace_id]);
      expect(await bytes(), 'after the deletion of the workspace').to.be.lessThan(1_000);
    });

    it('workflows are started for the owner, in each way', async () => {
      const { assistant } = two;
      const session = await createSession(assistant, { status: 'failed' });
      const delivery = { workspace_id: assistant.workspace_id, assistant_id: assistant.id, session_id: session.id };
      const [created] = await DeliveryModel.createOwn([{ ...delivery, event: 'session.failed', payload: '{}' }]);
      const { id } = created!;
      await DeliveryModel.query()
        .findById(id)
        .patch({ next_attempt_at: new Date(0) });
      const started: ({ payer: string } | undefined)[] = [
        created,
        await DeliveryModel.findOwned(assistant.workspace_id, id),
        ...(await DeliveryModel.findPendingOfSession(session.id, 'session.failed')),
        (await DeliveryModel.findOverdue(10_000)).find((row) => row.id === id),
        await requeueSession(session.id),
      ];
      await SessionModel.query()
        .findById(session.id)
        .patch({ check_after: new Date(0) });
      started.push((await SessionModel.findOverdue(10_000)).find((row) => row.id === session.id));
      expect(started.map((row) => row?.payer)).to.deep.equal(started.map(() => person.user.id));
    });
  });

  describe('of an installation', () => {
    it('set the budget of new accounts, and bound what users may raise it to', async () => {
      const account = { email: `${crypto.randomUUID()}@example.com`, password: PASSWORD, name: 'Ada' };
      expect((await send(api, 'register', { body: account })).body.user.monthly_budget_usd).to.equal(5);
      const { token } = await createUser();
      const set = (monthly_budget_usd: unknown) =>
        send(api, 'updateCurrentUser', { token, body: { monthly_budget_usd } });
      for (const fine of [0, 10]) expect((await set(fine)).body.monthly_budget_usd).to.equal(fine);
      for (const bad of [10.01, null]) {
        const { code, errors } = (await set(bad)).problem;
        expect(code).to.equal('validation_failed');
        expect(errors?.[0]?.path).to.equal('monthly_budget_usd');
        expect(errors?.[0]?.message).to.include('MAX_MONTHLY_BUDGET_USD');
      }
      expect((await send(api, 'updateCurrentUser', { token, body: { name: 'B' } })).body.monthly_budget_usd).to.equal(
        10,
      );
    });

    it('refuse models that are not allowed, wherever they are set', async () => {
      const { workspaceId, token } = await createUser();
      const make = (fields: object) => send(api, 'createAssistant', { token, body: { ...TEXT_SETTINGS, ...fields } });
      const { id } = (await make({})).body;
      expect((await make({ type: 'voice', stt_provider: 'whisper', stt_model: 'any' })).status).to.equal(201);
      const old = await createAssistant(workspaceId, { llm_model: 'gpt-6.1-sol' });
      const session = await createSession(await createAssistant(workspaceId), {
        status: 'completed',
      });
      const patch = (of: string, body: object) => send(api, 'updateAssistant', { token, params: { id: of }, body });
      const batch = (of: string, body: object) =>
        send(api, 'createBatch', { token, body: { action: 'reanalyze', filter: { assistant_id: of }, ...body } });
      const mended = await createAssistant(workspaceId, { llm_model: 'gpt-6.1-sol' });
      expect((await patch(mended.id, { llm_model: 'gpt-6-luna' })).body.version).to.equal(2);
      const reanalysis = { token, params: { id: session.id }, body: { llm_model: 'x' } };
      const restore = { token, params: { id: mended.id, version: '1' } };
      const fallback = { llm_provider: 'anthropic' };
      for (const [path, answer] of [
        ['fallback.llm_model', await make({ fallback })],
        ['fallback.llm_model', await patch(id, { fallback })],
        ['overrides.llm_model', await batch(id, { overrides: { llm_model: 'x' } })],
        ['version.llm_model', await batch(mended.id, { version: 1 })],
        ['llm_model', await send(api, 'restoreAssistantVersion', restore)],
        ['llm_model', await make({ llm_model: 'gpt-6.1-sol' })],
        ['llm_model', await make({ llm_provider: 'anthropic' })],
        ['stt_model', await make({ type: 'voice', stt_provider: 'aisha' })],
        ['llm_model', await patch(id, { llm_model: 'x' })],
        ['llm_model', await send(api, 'duplicateAssistant', { token, params: { id: old.id } })],
        ['llm_model', await send(api, 'reanalyzeSession', reanalysis)],
      ] as const) {
        expect([answer.status, answer.paths[0]]).to.deep.equal([422, path]);
        expect(answer.problem.errors?.[0]?.message).to.include('ALLOWED_MODELS');
      }
    });
  });
});
