/** One rule for every way to lose a right: SECURITY.md, "Who keeps access". */
import { connect } from 'node:net';
import { typeid } from 'typeid-js';
import { applyGiven } from '../../../api/sso/memberships.ts';
import * as contract from '../../../contract/account/workspaces.ts';
import { API_BASE, workspaceBase } from '../../../contract/values/constants.ts';
import { ApiKeyModel } from '../../../db/models/api-key.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { UserModel } from '../../../db/models/user.ts';
import { send, testConfig } from '../../support/api.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant as insertAssistant, PASSWORD, TEXT_SETTINGS, VOICE } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { createMember, createPerson, type Person } from '../../support/members.ts';
import { form, FORM_TYPE } from '../../support/multipart.ts';
import { useTestApi } from '../../support/set-up.ts';

const MIB = 1024 ** 2;

/** Between two chunks that a slow client reads. */
const SLOW_MS = 20;

describe('A person who loses a right', () => {
  const api = useTestApi();
  let boss: Person;
  let workspace: string;
  let voice: string;

  before(async () => {
    boss = await createPerson();
    workspace = boss.workspaceId;
    voice = (await insertAssistant(workspace, VOICE)).id;
    const assistant = await insertAssistant(workspace);
    // More than the buffers of a connection hold.
    const rows = Array.from({ length: 24 }, () => ({
      id: typeid('sess').toString(),
      ...{ workspace_id: workspace, assistant_id: assistant.id, type: 'text', simulated: false },
      ...{ assistant: assistant.freeze(), metadata: {}, conversation: [{ role: 'client', text: 'a'.repeat(MIB) }] },
    }));
    for (const row of rows) await SessionModel.query().insert(row as Partial<SessionModel>);
  });

  const byBoss = () => ({ token: boss.token, workspace });
  const losses: Record<string, (person: Person) => Promise<unknown>> = {
    demotion: ({ user: { id: user_id } }) =>
      send(api, contract.updateMember, { ...byBoss(), params: { user_id }, body: { role: 'auditor' } }),
    'the loss of a group': async ({ user }) => {
      await MembershipModel.query().findById([user.id, workspace]).patch({ source: 'sso' });
      const given = { byGroup: new Map(), byDomain: new Map() };
      await applyGiven({ config: testConfig(), log: silentLog }, user, given);
    },
    disabling: ({ user }) => UserModel.setDisabled(user, true),
    leaving: ({ token }) => send(api, contract.leaveWorkspace, { token, workspace }),
    removal: ({ user: { id: user_id } }) =>
      send(api, contract.removeMember, { ...byBoss(), params: { user_id }, query: { tokens: 'revoke' } }),
    'deletion of the account': ({ token }) =>
      send(api, 'deleteCurrentUser', { token, body: { current_password: PASSWORD } }),
  };

  /** Statuses of a read and of a write. */
  async function rightsOf(token: string): Promise<number[]> {
    const body = { ...TEXT_SETTINGS, webhook_url: 'https://example.com/hook' };
    const read = await send(api, 'listAssistants', { token, workspace });
    return [read.status, (await send(api, 'createAssistant', { token, workspace, body })).status];
  }

  /** Opens a connection, sends the head of a request, and records what arrives while it is read. */
  async function request(head: readonly string[]) {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    const state = { text: '', bytes: 0, isOver: false };
    socket.on('data', (chunk: Buffer) => {
      state.bytes += chunk.length;
      if (state.text.length < 10_000) state.text += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => (state.isOver = true));
    socket.write([...head, 'Host: 127.0.0.1', '', ''].join('\r\n'));
    return { socket, state };
  }

  async function startExport(token: string) {
    const path = `${workspaceBase(workspace)}/v1/exports/sessions?format=jsonl&include=conversation`;
    const opened = await request([`GET ${path} HTTP/1.1`, `Authorization: Bearer ${token}`]);
    await eventually(
      () => opened.state.bytes,
      (bytes) => bytes > 0,
    );
    opened.socket.pause();
    const readSlowly = () => {
      opened.socket.on('data', () => {
        opened.socket.pause();
        setTimeout(() => opened.socket.resume(), SLOW_MS);
      });
      opened.socket.resume();
    };
    return { ...opened, readSlowly };
  }

  async function startUpload({ token, key_id }: { token: string; key_id: string }) {
    const file = { name: 'audio_file', value: Buffer.alloc(200_000, 1), filename: 'a.mp3', type: 'audio/mpeg' };
    const body = form([{ name: 'assistant_id', value: voice }, file]);
    const opened = await request([
      `POST ${API_BASE}/v1/requests/voice HTTP/1.1`,
      `Authorization: Bearer ${token}`,
      `Content-Type: ${FORM_TYPE}`,
      `Content-Length: ${body.length}`,
    ]);
    opened.socket.write(body.subarray(0, 100_000));
    const isUsed = async () => (await ApiKeyModel.query().findById(key_id))?.last_used_at !== null;
    await eventually(isUsed, true);
    return { ...opened, finish: () => opened.socket.write(body.subarray(100_000)) };
  }

  for (const [loss, lose] of Object.entries(losses)) {
    it(`by ${loss} loses it at once, with every login, token, rolled token, stream, export and upload`, async () => {
      const person = await createMember(workspace, 'admin');
      const issue = async () =>
        (await send(api, 'createKey', { token: person.token, workspace, body: { name: 'crm' } })).body;
      const [key, rolled, uploading] = [await issue(), await issue(), await issue()];
      const roll = { token: person.token, workspace, params: { key_id: rolled.key_id }, body: {} };
      const successor = (await send(api, 'rollKey', roll)).body;
      const credentials = [person.token, key.token, rolled.token, successor.token];
      for (const token of credentials) expect(await rightsOf(token)).to.deep.equal([200, 201]);
      const streams = [];
      for (const token of [person.token, key.token]) {
        const headers = { Authorization: `Bearer ${token}` };
        streams.push(await openEventStream(api, headers, workspaceBase(workspace)));
      }
      const bystander = await openEventStream(api, { Authorization: `Bearer ${boss.token}` }, workspaceBase(workspace));
      const exports = [await startExport(person.token), await startExport(key.token)];
      const upload = await startUpload(uploading);

      await lose(person);

      const isDemoted = loss === 'demotion';
      const isMember = loss === 'disabling' || loss === 'deletion of the account';
      const ofLogin = isDemoted ? [200, 403] : isMember ? [401, 401] : [404, 404];
      const ofToken = isDemoted ? [200, 403] : [401, 401];
      const rights = [];
      for (const token of credentials) rights.push(await rightsOf(token));
      expect(rights).to.deep.equal([ofLogin, ofToken, ofToken, ofToken]);
      for (const { isOver } of streams) await eventually(isOver, true, 5_000);
      expect(bystander.isOver()).to.equal(false);
      bystander.close();
      for (const { readSlowly } of exports) readSlowly();
      for (const { state } of exports) {
        await eventually(() => state.isOver, true);
        expect(state.bytes).to.be.below(24 * MIB);
      }
      upload.finish();
      await eventually(
        () => upload.state.text,
        (text) => text.includes('\r\n\r\n'),
      );
      expect(upload.state.text).to.match(/^HTTP\/1.1 401 /);
      upload.socket.destroy();
    });
  }

  it('Threat: keeps no token except those that an owner kept for the workspace when the person was removed', async () => {
    const person = await createMember(workspace, 'developer');
    const key = (await send(api, 'createKey', { token: person.token, workspace, body: { name: 'crm' } })).body;
    const removal = { params: { user_id: person.user.id }, query: { tokens: 'keep' }, workspace };
    const admin = await createMember(workspace, 'admin');
    const refused = await send(api, contract.removeMember, { ...removal, token: admin.token });
    expect(refused.problem.code, 'only owners').to.equal('insufficient_scope');
    expect((await send(api, contract.removeMember, { ...removal, token: boss.token })).status).to.equal(204);
    expect(await rightsOf(key.token)).to.deep.equal([200, 201]);
    await UserModel.query().deleteById(person.user.id);
    expect(await rightsOf(key.token), 'without its creator').to.deep.equal([200, 201]);
  });
});
