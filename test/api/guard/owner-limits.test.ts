import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { typeid } from 'typeid-js';
import { submitTextRequest } from '../../../contract/sessions/requests.ts';
import { deleteSession, reanalyzeSession } from '../../../contract/sessions/session-operations.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { sumTextBytes } from '../../../db/queries/owner-limits.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { requeueSession } from '../../../db/queries/session-status.ts';
import { testDatabase, useConnections } from '../../support/database.ts';
import { send } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { createAssistant, createSession, says, VOICE } from '../../support/factories.ts';
import { createPerson, join, type Person } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const TEXT = 'x'.repeat(40_000);

/** An assistant in a workspace, and a login of its owner. */
interface Place {
  token: string;
  assistant: AssistantModel;
}

describe('Threat: a person with several workspaces has no more than one with a single workspace:', () => {
  useConnections();
  const api = useTestApi({
    env: { MAX_OPEN_SESSIONS_PER_WORKSPACE: '2', MAX_STORED_AUDIO_MIB_PER_WORKSPACE: '1' },
    adjust: ({ http, quotas }) => {
      http.eventStreams = 2;
      quotas.storedTextBytes = 2 * TEXT.length;
    },
  });
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
    send(api, submitTextRequest, {
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
    expect((await send(api, reanalyzeSession, again)).problem).to.include({ status: 409, code: 'quota_exceeded' });
    await send(api, deleteSession, { token: person.token, params: { id } });
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
