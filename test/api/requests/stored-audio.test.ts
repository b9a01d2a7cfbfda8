import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { json } from 'node:stream/consumers';
import { createDiskRoom } from '../../../runtime/audio/disk-room.ts';
import type { Problem } from '../../../contract/errors/problem.ts';
import type { Session } from '../../../contract/sessions/sessions.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { sumAudioBytes } from '../../../db/queries/owner-limits.ts';
import { send, sendRaw, startTestApi } from '../../support/api.ts';
import { fixture } from '../../support/audio.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createSession, createUser, says, VOICE } from '../../support/factories.ts';
import { form, FORM_TYPE } from '../../support/multipart.ts';
import { startTestS3 } from '../../support/s3.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

/** About 400 kB, so a quota of 1 MiB has room for two. */
const TONE = fixture('tone.mp3');
const RECORDING = Buffer.alloc(48 * TONE.length, TONE);

interface Owner {
  workspaceId: string;
  token: string;
  upload(headers?: Record<string, string>): ReturnType<typeof sendRaw>;
}

async function createOwner(api: { url: string }): Promise<Owner & { body: Buffer<ArrayBuffer> }> {
  const { workspaceId, token } = await createUser();
  const { id } = await createAssistant(workspaceId, VOICE);
  const file = { name: 'audio_file', value: RECORDING, filename: 'call.mp3', type: 'audio/mpeg' };
  const body = form([{ name: 'assistant_id', value: id }, file]);
  const headers = { 'Content-Type': FORM_TYPE, Prefer: 'respond-async' };
  return {
    workspaceId,
    token,
    body,
    upload: (more) => sendRaw(api, 'POST', '/v1/requests/voice', { token, body, headers: { ...headers, ...more } }),
  };
}

describe('The quota of stored recordings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cas-quota-'));
  const api = useTestApi({ env: { AUDIO_STORE: folder, MAX_STORED_AUDIO_MIB_PER_WORKSPACE: '1' } });
  let owner: Awaited<ReturnType<typeof createOwner>>;
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    owner = await createOwner(api);
  });

  const filesOf = async ({ workspaceId }: Owner) => {
    const sessions = await SessionModel.query().select('id').where({ workspace_id: workspaceId });
    const names = readdirSync(folder, { recursive: true }).map(String);
    expect(names.filter((name) => name.startsWith('incoming/'))).to.deep.equal([]);
    return sessions.filter(({ id }) => names.includes(id)).length;
  };

  it('holds for concurrent uploads, and is freed by deletion', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner.upload()));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([202, 202, 409, 409, 409]);
    const problem = answers.find(({ status }) => status === 409)?.problem;
    expect(problem).to.include({ code: 'quota_exceeded' });
    expect(problem?.detail).to.contain('1 MiB');
    expect(await filesOf(owner)).to.equal(2);
    expect(await sumAudioBytes(owner.workspaceId)).to.equal(2 * RECORDING.length);
    const { session_id: id } = answers.find(({ status }) => status === 202)?.body as Session;
    await send(api, 'deleteSession', { token: owner.token, params: { id } });
    expect((await owner.upload()).status).to.equal(202);
  });

  it('is per workspace, and removed recordings do not count', async () => {
    await Promise.all([owner.upload(), owner.upload()]);
    expect((await owner.upload()).status).to.equal(409);
    expect((await (await createOwner(api)).upload()).status).to.equal(202);
    await SessionModel.query().where({ workspace_id: owner.workspaceId }).patch({ audio: null });
    expect((await owner.upload()).status).to.equal(202);
  });

  it('refuses before the recording has arrived', async () => {
    await Promise.all([owner.upload(), owner.upload()]);
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const call = request(`${api.url}/api/v1/requests/voice`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${owner.token}`,
        'Content-Type': FORM_TYPE,
        'Content-Length': owner.body.length,
      },
    }).on('response', resolve);
    call.on('error', () => undefined).write(owner.body.subarray(0, 10_000));
    expect(((await json(await promise)) as Problem).code).to.equal('quota_exceeded');
    call.destroy();
  });

  it('does not apply to repeated requests, whose recording is already stored', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const first = (await owner.upload(headers)).body as Session;
    await owner.upload();
    expect(((await owner.upload(headers)).body as Session).session_id).to.equal(first.session_id);
    expect(await filesOf(owner)).to.equal(2);
  });
});

describe('A nearly full disk', () => {
  const api = useTestApi({ adjust: ({ audio }) => void (audio.minFreeBytes = 1e15) });

  it('refuses recordings, warns in /readyz, and accepts text requests', async () => {
    const { workspaceId, token, upload } = await createOwner(api);
    const answer = await upload();
    expect([answer.status, answer.problem.code]).to.deep.equal([503, 'unavailable']);
    expect(answer.problem.detail).to.contain('disk is full');
    expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(await SessionModel.query().where({ workspace_id: workspaceId }).resultSize()).to.equal(0);
    const { warnings } = (await (await fetch(`${api.url}/readyz`)).json()) as { warnings: string[] };
    expect(warnings).to.deep.equal(['the disk for recordings is full: uploads are refused']);
    const body = { assistant_id: (await createAssistant(workspaceId)).id, conversation: says('Hi') };
    const text = await send(api, 'submitTextRequest', { token, body, headers: { Prefer: 'respond-async' } });
    expect(text.status).to.equal(202);
  });
});

describe('A store of recordings that does not work', () => {
  const BROKEN = ['the store of recordings does not work: uploads are refused'];

  const start = (env: Record<string, string>) => stopAfterTest(startTestApi({ env }));

  async function warningsOf(api: { url: string }) {
    const response = await fetch(`${api.url}/readyz`);
    return ((await response.json()) as { warnings?: string[] }).warnings;
  }

  it('is named in /readyz until it works again', async () => {
    const s3 = await stopAfterTest(startTestS3());
    const proxy = await stopAfterTest(startTcpProxy({ port: Number(new URL(s3.url).port) }));
    const api = await start({ AUDIO_STORE: 's3://calls', AUDIO_S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` });
    expect(await warningsOf(api)).to.equal(undefined);
    await proxy.refuse();
    await eventually(() => warningsOf(api), BROKEN);
    await proxy.pass();
    await eventually(() => warningsOf(api), undefined);
  });

  it('is not called a full disk if its folder cannot be used', async () => {
    const api = await start({ AUDIO_STORE: join(fileURLToPath(import.meta.url), 'folder') });
    expect(await warningsOf(api)).to.deep.equal(BROKEN);
  });
});

describe('Disk space for uploads', () => {
  const room = () =>
    createDiskRoom({ audio: { findRoom: async () => ({ bytes: 1_000, freeBytes: 110 }) }, minFreeBytes: 10 });
  it('is never used by one user alone: half is left to others', async () => {
    const { take } = room();
    const giveBack = await take('greedy', 50);
    expect(await take('greedy', 1)).to.equal(undefined);
    await take('other', 50);
    expect(await take('third', 1)).to.equal(undefined);
    giveBack?.();
    await take('greedy', 50);
  });
});

describe('The counter of stored recordings', () => {
  useTestApi();

  const audio = (bytes: number) => ({
    key: 'k',
    sha256: '',
    file_name: 'a.mp3',
    media_type: 'audio/mpeg',
    bytes,
    duration_s: 1,
  });
  const isExact = async (workspaceId: string, bytes: number) => {
    const { rows } = await SessionModel.knex().raw<{ rows: { bytes: number | null }[] }>(
      'select sum(audio_bytes)::float8 as bytes from sessions where workspace_id = ? and audio is not null',
      [workspaceId],
    );
    expect(rows[0]?.bytes ?? 0).to.equal(bytes);
    expect(await sumAudioBytes(workspaceId)).to.equal(bytes);
  };

  it('is exact after uploads, replacements, removals, deletions and a rollback', async () => {
    const { workspaceId } = await createUser();
    const assistant = await createAssistant(workspaceId, VOICE);
    const [first, second] = await Promise.all(
      [10, 200, 3_000].map((bytes) => createSession(assistant, { audio: audio(bytes) })),
    );
    await isExact(workspaceId, 3_210);
    await SessionModel.query()
      .findById(first!.id)
      .patch({ audio: audio(11) });
    await isExact(workspaceId, 3_211);
    await SessionModel.query().findById(first!.id).patch({ audio: null });
    await isExact(workspaceId, 3_200);
    await SessionModel.transaction(async (trx) => {
      await SessionModel.query(trx).deleteById(second!.id);
      await trx.rollback();
    }).catch(() => undefined);
    await isExact(workspaceId, 3_200);
    await SessionModel.query().deleteById(second!.id);
    await isExact(workspaceId, 3_000);
    await SessionModel.knex()('sessions').where({ workspace_id: workspaceId }).delete();
    await isExact(workspaceId, 0);
  });
});
